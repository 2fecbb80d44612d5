// The shortcuts past the rules of the access shadow say what the rules say: random kernels, looked at both
// ways.
#include <set>
#include <tuple>

#include "harness/simulator/engine/memory/global_shadow.h"
#include "tests/simulator/random_kernel.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

// What a kernel shows, and what it leaves.
struct Seen {
  std::set<std::tuple<CauseKind, int, int>> findings;
  std::vector<bool> completed, one_order;
  std::vector<std::pair<std::size_t, std::size_t>> undefined;  // runs of bytes
  std::string messages;

  bool operator==(const Seen& other) const {
    return findings == other.findings && completed == other.completed && one_order == other.one_order &&
           undefined == other.undefined;
  }
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  out << seen.findings.size() << " findings\n" << seen.messages;
  for (const bool one : seen.one_order) out << (one ? "one order\n" : "");
  for (const auto& [first, end] : seen.undefined) out << "undefined from " << first << " to " << end << "\n";
  return out;
}

// Two launches, of which the second finds what the first left.
Seen look_at(const RandomKernel& kernel, const std::string& text, LaunchOptions options) {
  SimulatedDevice device;
  device.load(text);
  const Address in = device.upload(counting(RandomKernel::kArrayBytes / 4));
  const Address out = device.allocate(RandomKernel::kArrayBytes);
  Seen seen;
  options.check_accesses = true;
  for (int launch = 0; launch < 2; ++launch) {
    const Outcome outcome =
        device.launch({.grid = {kernel.blocks}, .block = {kernel.threads}}, {in, out}, options);
    seen.completed.push_back(outcome.completed);
    seen.one_order.push_back(outcome.one_order);
    for (const Finding& finding : outcome.findings) {
      seen.findings.emplace(finding.kind, finding.line, finding.other_line);
      seen.messages += fmt::format("{} {}/{} {}\n", name_of(finding.kind), finding.line, finding.other_line,
                                   finding.message);
    }
  }
  for (const Allocation& allocation : device.memory.allocations()) {
    if (allocation.place == kNoPlace) continue;
    device.memory.shadow().defined.each_hole(
        allocation.place, allocation.bytes, [&](std::size_t first, std::size_t end) {
          seen.undefined.emplace_back(allocation.begin + first, allocation.begin + end);
          return true;
        });
  }
  return seen;
}

class Shortcuts : public testing::TestWithParam<std::uint64_t> {
 protected:
  // fn for the kernels of this part.
  template <class Visit>
  void each_kernel(RandomKernel::Traits traits, std::uint64_t count, Visit fn) {
    for (std::uint64_t n = 0; n < count && !HasFailure(); ++n) {
      const std::uint64_t seed = GetParam() * 1'000'000 + n;
      const RandomKernel kernel(seed, traits);
      const std::string text = kernel_text(kernel.body, kernel.declarations);
      SCOPED_TRACE(fmt::format("seed {}, {} blocks of {} threads\n{}", seed, kernel.blocks, kernel.threads,
                               kernel.body));
      fn(kernel, text, seed % 3);
    }
  }
  void compare_all_rules(std::uint64_t kernels);
  void compare_host_threads(std::uint64_t kernels);
};

void Shortcuts::compare_all_rules(std::uint64_t kernels) {
  std::size_t findings = 0;
  std::size_t right = 0;
  each_kernel({}, kernels, [&](const RandomKernel& kernel, const std::string& text, std::uint64_t schedule) {
    const Seen all = look_at(kernel, text, {.schedule = schedule, .host_threads = 1, .all_rules = true});
    const Seen quick = look_at(kernel, text, {.schedule = schedule, .host_threads = 1});
    EXPECT_EQ(quick, all);
    findings += all.findings.size();
    right += all.findings.empty();
  });
  // It compares something.
  EXPECT_GT(findings, kernels);
  EXPECT_GT(right, kernels / 20);
}

void Shortcuts::compare_host_threads(std::uint64_t kernels) {
  const RandomKernel::Traits traits{.own_parts = true, .long_begin = true};
  each_kernel(
      traits, kernels, [&](const RandomKernel& kernel, const std::string& text, std::uint64_t schedule) {
        const Seen all = look_at(kernel, text, {.schedule = schedule, .host_threads = 1, .all_rules = true});
        const Seen quick = look_at(kernel, text, {.schedule = schedule, .host_threads = 2});
        EXPECT_EQ(quick, all);
      });
}

TEST_P(Shortcuts, say_what_all_rules_say) {
  compare_all_rules(400);
}

TEST_P(Shortcuts, say_the_same_with_several_host_threads) {
  compare_host_threads(40);
}

using ShortcutsLong = Shortcuts;

TEST_P(ShortcutsLong, say_what_all_rules_say) {
  compare_all_rules(100'000);
}

TEST_P(ShortcutsLong, say_the_same_with_several_host_threads) {
  compare_host_threads(10'000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Shortcuts, testing::Range<std::uint64_t>(0, 4));
INSTANTIATE_TEST_SUITE_P(Seeds, ShortcutsLong, testing::Range<std::uint64_t>(0, 4));

}  // namespace
}  // namespace warpmark::simulator::test
