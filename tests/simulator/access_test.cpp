// Races, stores to one word, reads of what nobody wrote: each rule by a kernel that breaks it and by one that
// is like it and right (accesses.cu, accesses_across_blocks.cu).
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/build/clang_flags.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::uint32_t kBlocks = 4;
constexpr std::uint32_t kThreads = 128;
constexpr std::size_t kValues = 4096;

constexpr std::string_view kMost = "accesses";  // files of kernels
constexpr std::string_view kAcross = "accesses_across_blocks";

std::string read_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string file_of(std::string_view kernels) {
  return fmt::format("{}/{}.cu", WARPMARK_TEST_KERNELS, kernels);
}

// Empty when there is no clang.
std::string compiled(std::string_view kernels, Level level) {
  if (std::string(WARPMARK_TEST_CLANG).empty()) return {};
  const fs::path ptx = fs::path(testing::TempDir()) /
                       fmt::format("{}.{}.{}.ptx", kernels, getpid(), level == Level::checking ? 0 : 2);
  std::string command = WARPMARK_TEST_CLANG;
  for (const auto& flag : device_flags(level)) command += " '" + flag + "'";
  command += fmt::format(" -I'{}' '{}' -o '{}'", WARPMARK_TEST_INCLUDE, file_of(kernels), ptx.string());
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::string text = read_text(ptx);
  fs::remove(ptx);
  return text;
}

const std::string& ptx_of(std::string_view kernels, Level level) {
  static std::map<std::pair<std::string_view, Level>, std::string> all;
  const auto [found, is_new] = all.try_emplace({kernels, level});
  if (is_new) found->second = compiled(kernels, level);
  return found->second;
}

// What a file says of a kernel.
struct Expected {
  std::string_view file;
  std::string name, kind;
  int line = 0, other_line = 0;
};

std::vector<Expected> expectations_in(std::string_view file) {
  std::ifstream source(file_of(file));
  std::vector<Expected> all;
  const std::regex kernel(
      R"(__global__ void ((clean|race|warp_synchronous|same_word_store|uninitialised_read|missing_fence|out_of_bounds)_\w+)\()");
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, kernel)) all.push_back({file, match[1], match[2]});
    const auto mark = line.rfind("// ");
    if (all.empty() || mark == std::string::npos) continue;
    if (line.find("here", mark) == mark + 3) all.back().line = number;
    if (line.find("there", mark) != std::string::npos) all.back().other_line = number;
  }
  return all;
}

std::vector<Expected> expectations() {
  auto all = expectations_in(kMost);
  for (Expected& each : expectations_in(kAcross)) all.push_back(std::move(each));
  return all;
}

using Found = std::set<std::tuple<std::string, int, int>>;

std::ostream& operator<<(std::ostream& out, const Expected& expected) {
  return out << expected.name;
}

class Accesses : public testing::TestWithParam<std::tuple<Expected, Level>> {
 protected:
  void SetUp() override {
    if (ptx_of(expected().file, level()).empty()) GTEST_SKIP() << "no clang to compile the kernels with";
  }
  [[nodiscard]] const Expected& expected() const { return std::get<0>(GetParam()); }
  [[nodiscard]] Level level() const { return std::get<1>(GetParam()); }

  Found found(const LaunchOptions& options) {
    SimulatedDevice device;
    device.load(ptx_of(expected().file, level()));
    const Address data = device.upload(counting(kValues));
    const Address out = device.allocate(kValues * sizeof(int));
    // A second launch is not disturbed by what the first left behind, but for what it wrote.
    const std::string mangled = fmt::format("_Z{}{}PiS_", expected().name.size(), expected().name);
    const Outcome outcome =
        device.launch({.grid = {kBlocks}, .block = {kThreads}}, {data, out}, options, mangled.c_str());
    Found all;
    messages.clear();
    for (const Finding& finding : outcome.findings) {
      if (finding.kind == CauseKind::early_exit) continue;
      all.emplace(name_of(finding.kind), finding.line, finding.other_line);
      messages += finding.message + "\n";
    }
    return all;
  }
  std::string messages;
};

TEST_P(Accesses, are_judged) {
  Found wanted;
  if (expected().kind != "clean") wanted.emplace(expected().kind, expected().line, expected().other_line);
  for (const std::uint64_t schedule : {0, 1, 2}) {
    for (const unsigned host_threads : {1, 2}) {
      const Found seen = found({.schedule = schedule, .host_threads = host_threads, .check_accesses = true});
      EXPECT_EQ(seen, wanted) << "schedule " << schedule << ", " << host_threads << " host threads\n"
                              << messages;
      EXPECT_THAT(messages, names_no_address());
    }
  }
}

// What is said of kernels that have no expectation in their names.
class Said : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override {
    if (ptx_of(kMost, GetParam()).empty()) GTEST_SKIP() << "no clang to compile the kernels with";
  }
  std::vector<Finding> about(const std::string& kernel, unsigned host_threads = 1) {
    SimulatedDevice device;
    device.load(ptx_of(kMost, GetParam()));
    const Address data = device.upload(counting(kValues));
    const Address out = device.allocate(kValues * sizeof(int));
    return device
        .launch({.grid = {kBlocks}, .block = {kThreads}}, {data, out},
                {.host_threads = host_threads, .check_accesses = true},
                fmt::format("_Z{}{}PiS_", kernel.size(), kernel).c_str())
        .findings;
  }
};

TEST_P(Said, of_an_update_by_all_threads_to_use_an_atomic_operation) {
  const auto findings = about("update_by_all_threads");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("use atomicAdd"));
}

TEST_P(Said, of_a_tree_without_barriers_to_put_one_between_the_steps) {
  const auto findings = about("strided_tree_without_barriers");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, CauseKind::race);
  EXPECT_THAT(findings[0].message, HasSubstr("__syncthreads() between one step and the next"));
}

TEST_P(Said, of_a_helper_which_line_called_it_and_which_pointer_it_was_given) {
  const auto findings = about("helper_past_the_end");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, CauseKind::out_of_bounds);
  EXPECT_THAT(findings[0].message, testing::ContainsRegex("called from accesses.cu:[0-9]+"));
  EXPECT_THAT(findings[0].message, HasSubstr("of out[4096], just past the end"));
}

TEST_P(Said, of_an_array_of_each_thread_that_others_do_not_see_it) {
  if (GetParam() == Level::counting) GTEST_SKIP() << "the optimiser drops what is undefined";
  const auto findings = about("array_of_each_thread");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, CauseKind::uninitialised_read);
  EXPECT_THAT(findings[0].message, HasSubstr("reads mine[127], which it has not set"));
  EXPECT_THAT(findings[0].message, HasSubstr("__shared__"));
  EXPECT_TRUE(about("array_of_each_thread_that_is_set").empty());
}

// Blocks on two host threads meet at the word at any time.
TEST_P(Said, of_a_race_between_blocks_the_same_each_time) {
  constexpr int kRuns = 50;
  for (int i = 0; i < kRuns; ++i) {
    for (const char* kernel : {"race_of_volatile_stores", "race_of_atomics_of_the_block"}) {
      const auto findings = about(kernel, 2);
      ASSERT_EQ(findings.size(), 1U) << kernel << ", run " << i;
      EXPECT_EQ(findings.front().kind, CauseKind::race);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Said, testing::Values(Level::checking, Level::counting),
                         [](const auto& entry) { return entry.param == Level::checking ? "O0" : "O2"; });

// What the shadow keeps from launch to launch and does not.
class Shadow : public testing::Test {
 protected:
  Outcome launch(const LaunchOptions& options = {.host_threads = 1, .check_accesses = true}) {
    return device.launch({.grid = {2}, .block = {64}}, {from, to}, options);
  }
  void load_copy() {
    device.load(kernel_text("ld.global.u32 %r10, [%rd3];\n st.global.u32 [%rd4], %r10;"));
    from = device.allocate(128 * 4);
    to = device.allocate(128 * 4);
  }
  std::vector<std::string> kinds(const Outcome& outcome) {
    std::vector<std::string> names;
    for (const Finding& finding : outcome.findings) names.emplace_back(name_of(finding.kind));
    return names;
  }
  SimulatedDevice device;
  Address from = 0;
  Address to = 0;
};

const std::vector<std::string> kNothing;
const std::vector<std::string> kUninitialised{"uninitialised_read"};

TEST_F(Shadow, knows_what_the_host_wrote) {
  load_copy();
  EXPECT_EQ(kinds(launch()), kUninitialised);
  device.memory.written_by_host(from, 127 * 4);
  EXPECT_EQ(kinds(launch()), kUninitialised) << "the last element";
  device.memory.written_by_host(from + 127 * 4, 4);
  EXPECT_EQ(kinds(launch()), kNothing);
  device.memory.undefine(from, 128 * 4);
  EXPECT_EQ(kinds(launch()), kUninitialised);
}

TEST_F(Shadow, knows_which_bytes_of_a_word_the_host_wrote) {
  load_copy();
  device.memory.written_by_host(from, 127 * 4 + 1);
  const Outcome outcome = launch();
  ASSERT_EQ(kinds(outcome), kUninitialised);
  EXPECT_THAT(outcome.findings[0].message, HasSubstr("only 1 of its 4 bytes was set"));
  device.memory.written_by_host(from + 127 * 4 + 1, 3);
  EXPECT_EQ(kinds(launch()), kNothing);
  device.memory.undefine(from, 128 * 4);
  device.memory.written_by_host(from + 2, 128 * 4 - 2);
  EXPECT_EQ(kinds(launch()), kUninitialised);
  device.memory.written_by_host(from, 2);
  EXPECT_EQ(kinds(launch()), kNothing);
}

TEST_F(Shadow, says_of_shared_memory_that_is_not_set_who_has_returned) {
  device.load(kernel_text(R"(
  .shared .align 4 .b8 sums[256];
  mov.u64 %rd20, sums;
  setp.ge.s32 %p1, %r1, 1;
  @%p1 bra DONE;
  bar.sync 0;
  ld.shared.u32 %r11, [%rd20+20];
DONE:)"));
  const Outcome outcome = launch();
  ASSERT_EQ(kinds(outcome).front(), "uninitialised_read");
  EXPECT_THAT(outcome.findings[0].message,
              HasSubstr("which no thread has set: 63 of the 64 threads of the block have returned"));
}

// What clang makes of `threadIdx.x == 0 ? last : 0` and `threadIdx.x == 0 && last`.
TEST_F(Shadow, takes_a_load_whose_value_a_thread_throws_away_for_none) {
  from = to = device.allocate(128 * 4);
  const auto of_first_thread = [&](const std::string& first_thread, const std::string& use) {
    device.load(kernel_text(".shared .align 4 .u32 last;\n setp." + first_thread + R"(.s32 %p1, %r1, 0;
  @!%p1 bra LOAD;
  st.shared.u32 [last], 1;
LOAD:
  ld.shared.u32 %r10, [last];
)" + use + "\n st.global.u32 [%rd4], %r11;"));
    return kinds(launch());
  };
  const std::string both = "setp.eq.s32 %p2, %r10, 1; and.pred %p3, %p1, %p2; selp.u32 %r11, 1, 0, %p3;";
  EXPECT_EQ(of_first_thread("eq", "selp.b32 %r11, %r10, 0, %p1;"), kNothing);
  EXPECT_EQ(of_first_thread("eq", both), kNothing);
  const std::vector<std::string> race{"race"};
  EXPECT_EQ(of_first_thread("eq", "selp.b32 %r11, 0, %r10, %p1;"), race);
  EXPECT_EQ(of_first_thread("eq", both + " add.s32 %r11, %r11, %r10;"), race);
  EXPECT_EQ(of_first_thread("eq", "mov.b32 %r11, %r10;"), race);
}

// The first thread knows the value that it has stored; clang lets the others load it.
TEST_F(Shadow, takes_a_load_on_another_way_whose_value_is_thrown_away_for_none) {
  from = to = device.allocate(128 * 4);
  const auto with_condition = [&](const std::string& condition) {
    device.load(kernel_text(".shared .align 4 .u32 last;\n setp.eq.s32 %p1, %r1, 0;\n setp." + condition +
                            R"(.s32 %p4, %r1, 0;
  @%p1 bra FIRST;
  ld.shared.u32 %r10, [last];
  bra.uni BOTH;
FIRST:
  mov.u32 %r10, 1;
  st.shared.u32 [last], %r10;
BOTH:
  setp.eq.s32 %p2, %r10, 1;
  and.pred %p3, %p4, %p2;
  selp.u32 %r11, 1, 0, %p3;
  st.global.u32 [%rd4], %r11;)"));
    return kinds(launch());
  };
  EXPECT_EQ(with_condition("eq"), kNothing);
  EXPECT_EQ(with_condition("lt"), kNothing);
  EXPECT_NE(with_condition("ge"), kNothing);
}

TEST_F(Shadow, takes_a_part_of_a_row_for_undefined_and_not_the_others) {
  load_copy();
  device.memory.written_by_host(from, 128 * 4);
  device.memory.undefine(from + 5 * 4, 4);
  const Outcome outcome = launch();
  ASSERT_EQ(kinds(outcome), kUninitialised);
  EXPECT_THAT(outcome.findings[0].message, testing::HasSubstr("thread (5,0,0) of block (0,0,0)"));
  device.memory.written_by_host(from + 5 * 4, 4);
  EXPECT_EQ(kinds(launch()), kNothing);
}

TEST_F(Shadow, knows_what_an_earlier_launch_wrote) {
  load_copy();
  device.memory.written_by_host(from, 128 * 4);
  EXPECT_EQ(kinds(launch()), kNothing);
  std::swap(from, to);
  EXPECT_EQ(kinds(launch()), kNothing);
}

TEST_F(Shadow, trusts_what_a_launch_may_have_written_that_nobody_looked_at) {
  load_copy();
  launch({.host_threads = 1});
  EXPECT_EQ(kinds(launch()), kNothing);
}

TEST_F(Shadow, forgets_memory_that_was_freed) {
  load_copy();
  device.memory.written_by_host(from, 128 * 4);
  ASSERT_TRUE(device.memory.release(from));
  from = device.allocate(128 * 4);
  EXPECT_EQ(kinds(launch()), kUninitialised);
}

// Launches are told apart by 6 bits.
TEST_F(Shadow, counts_launches_round_and_round) {
  load_copy();
  device.memory.written_by_host(from, 128 * 4);
  for (int k = 0; k < 200; ++k) {
    EXPECT_EQ(kinds(launch()), kNothing);
    std::swap(from, to);
  }
}

TEST_F(Shadow, notes_threads_that_return_before_a_barrier) {
  device.load(kernel_text("setp.ge.s32 %p1, %r1, 40;\n @%p1 ret;\n .loc 1 9 1\n bar.sync 0;"));
  const Outcome outcome = launch();
  ASSERT_EQ(kinds(outcome), std::vector<std::string>{"early_exit"});
  EXPECT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.findings[0].line, 9);
  EXPECT_EQ(kinds(launch({.host_threads = 1})), kNothing);
}

TEST_F(Shadow, names_array_index_and_threads) {
  device.load(kernel_text(R"(
  .shared .align 4 .b8 sums[256];
  mov.u64 %rd20, sums;
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd20, %rd21;
  .loc 1 7 1
  st.shared.u32 [%rd22], %r1;
  .loc 1 8 1
  ld.shared.u32 %r11, [%rd20+20];)"));
  const Outcome outcome = launch();
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(
      outcome.findings[0].message,
      "thread (32,0,0) of block (0,0,0) reads sums[5] (line 8), which thread (5,0,0) writes (line 7), and "
      "nothing orders the two: put a __syncthreads() between them");
}

INSTANTIATE_TEST_SUITE_P(, Accesses,
                         testing::Combine(testing::ValuesIn(expectations()),
                                          testing::Values(Level::checking, Level::counting)),
                         [](const auto& entry) {
                           return std::get<0>(entry.param).name +
                                  (std::get<1>(entry.param) == Level::checking ? "_O0" : "_O2");
                         });

}  // namespace
}  // namespace warpmark::simulator::test
