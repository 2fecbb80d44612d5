#include "harness/judge/checks/host_knowledge.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/checks/call_causes.h"

namespace warpmark::judge {
namespace {

// Number of inputs of `correct` that are compared with others of the same shape, and the largest of these
// inputs, in elements.
constexpr std::size_t kPairs = 3;
constexpr std::uint64_t kLargestCompared = 70'000;

bool is_same(const wire::Handover& a, const wire::Handover& b) {
  return a.what == b.what && a.launch == b.launch && a.to_host == b.to_host && a.values == b.values;
}

bool is_case(const Case& a, const Case& b) {
  return a.type == b.type && a.data == b.data && a.sizes() == b.sizes() && a.shift == b.shift &&
         a.seed == b.seed;
}

// Returns what differs between the two calls, in words.
std::string difference(const std::vector<wire::Handover>& first, const std::vector<wire::Handover>& second,
                       const Unexplained& where) {
  if (where.number >= first.size() || where.number >= second.size())
    return "it made another number of launches and copies";
  const wire::Handover& one = first[where.number];
  if (!one.launch) return fmt::format("{} was given other bytes or places", one.what);
  const auto end = first.begin() + static_cast<std::ptrdiff_t>(where.number) + 1;
  const auto number = std::count_if(first.begin(), end, [](const auto& each) { return each.launch; });
  const std::string launch = fmt::format("its launch {} (of {}) ", number, one.what);
  if (!where.value) return launch + "was another one";
  if (*where.value < wire::kFirstArgument) return launch + "had another grid or other blocks";
  return launch +
         fmt::format("was given another value of argument {}", *where.value - wire::kFirstArgument + 1);
}

}  // namespace

std::optional<Unexplained> unexplained(const std::vector<wire::Handover>& first,
                                       const std::vector<wire::Handover>& second) {
  const std::size_t both = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < both; ++i) {
    const wire::Handover& a = first[i];
    const wire::Handover& b = second[i];
    if (is_same(a, b)) continue;
    if (a.what != b.what || a.to_host != b.to_host || a.values.size() != b.values.size())
      return a.to_host && b.to_host ? std::nullopt : std::optional(Unexplained{i, {}});
    if (a.to_host) return std::nullopt;  // the host was shown what differs
    const auto at = std::ranges::mismatch(a.values, b.values).in1 - a.values.begin();
    return Unexplained{i, static_cast<std::size_t>(at)};
  }
  if (first.size() == second.size()) return std::nullopt;
  return Unexplained{both, {}};
}

void HostKnowledge::plan(std::vector<Case>& cases) {
  const bool spread = bench_.shape.ranks != nullptr || bench_.shape.devices > 1;
  if (built_.engine != Engine::simulator || spread) return;
  for (std::size_t k = 0; k < kPairs; ++k) {
    std::vector<std::size_t> eligible;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].n >= kNeedsAKernel && cases[i].n <= kLargestCompared && !wants(cases[i]))
        eligible.push_back(i);
    }
    if (eligible.empty()) return;
    const std::size_t chosen = eligible[random_below(mix(bench_.seed), k, eligible.size())];
    const auto other = bench_.cases->with_other_values(bench_.assignment, cases[chosen], built_.engine);
    const auto is_given = [](const Buffers::Region& region) {
      return region.spec.on_host && (region.spec.role == Role::input || region.spec.role == Role::in_out);
    };
    if (std::ranges::any_of(other->buffers.regions(), is_given)) return;  // the host may know such inputs
    if (is_case(cases[chosen], other->which)) continue;                   // its shape follows from its values
    pairs_.push_back({cases[chosen], other->which});
    cases.insert(cases.begin() + static_cast<std::ptrdiff_t>(chosen) + 1, other->which);
  }
}

bool HostKnowledge::wants(const Case& which) const {
  return std::ranges::any_of(
      pairs_, [&](const Pair& pair) { return is_case(pair.first, which) || is_case(pair.second, which); });
}

std::optional<Cause> HostKnowledge::look(const Case& which, const CallResult& result,
                                         const std::vector<VersionWorker::Asked>& asked) {
  auto before = std::exchange(of_first_, {});
  for (const Pair& pair : pairs_) {
    if (is_case(pair.first, which)) of_first_ = result.handovers;
    if (!is_case(pair.second, which)) continue;
    if (!before || asked.size() < 2 || !unexplained(*before, result.handovers)) return std::nullopt;
    return compare(pair, {asked.begin(), asked.end() - 2});
  }
  return std::nullopt;
}

// Returns the handovers of a call in a fresh worker process after the given ones; nullopt if it fails.
std::optional<HostKnowledge::Handovers> HostKnowledge::after(const std::vector<VersionWorker::Asked>& before,
                                                             const Case& which) {
  VersionWorker worker(bench_, version_, built_);
  for (const auto& [earlier, again] : before) {
    if (is_over(bench_, version_)) return std::nullopt;
    if (worker.run(earlier).causes.empty() && again) static_cast<void>(worker.run_again());
  }
  auto result = worker.run(which, {.note_handovers = true});
  if (!result.causes.empty()) return std::nullopt;
  return std::move(result.handovers);
}

// Repeats both calls in fresh processes with the same history, because the second call of a process may count
// its calls. What differs between equal calls, too, such as the time, says nothing about the data.
std::optional<Cause> HostKnowledge::compare(const Pair& pair,
                                            const std::vector<VersionWorker::Asked>& before) {
  const auto first = after(before, pair.first);
  const auto second = first ? after(before, pair.second) : std::nullopt;
  const auto where = second ? unexplained(*first, *second) : std::nullopt;
  if (!where) return std::nullopt;
  const auto again = after(before, pair.first);
  if (!again || unexplained(*first, *again)) return std::nullopt;
  const Blame blame{&bench_.submission.files.at(version_), &bench_.submission,
                    built_.versions.at(pair.second.type).library, &bench_.installation};
  Cause cause =
      about(pair.second, blame, CauseKind::no_kernel,
            fmt::format(
                "the call was repeated with other values in its input, and {}, although nothing that differs "
                "had been copied to the host in the call: host code knows something about the values. "
                "Kernels have to find what depends on them; what the host needs, such as a count, it "
                "copies from the device in the call",
                difference(*first, *second, *where)));
  const auto& given = where->number < second->size() ? *second : *first;
  const wire::Handover& handover = given[std::min(where->number, given.size() - 1)];
  point_to_host_code(cause, handover.frames, handover.launch, blame);
  return cause;
}

}  // namespace warpmark::judge
