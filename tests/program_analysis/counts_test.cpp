#include "harness/program_analysis/counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/counters.h"

namespace warpmark::program_analysis {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

wire::Launch launch(const std::string& kernel, double instructions, double lanes,
                    std::vector<wire::CountedLine> lines = {}) {
  wire::Launch launch{.kernel = kernel, .grid = {4, 2, 1}, .block = {32, 1, 1}, .work = {}, .when = {}};
  wire::CountedWork& work = launch.work.emplace();
  work.counters.set(counter::kInstructions, instructions);
  work.counters.set(counter::kActiveLanes, lanes);
  work.counters.set(counter::kLoadRequests, 10);
  work.counters.set(counter::kLoadSectors, 320);
  work.lines = std::move(lines);
  return launch;
}

wire::CountedLine line(int number, std::uint64_t instructions, double lanes, std::uint64_t requests,
                       std::uint64_t sectors, std::uint64_t shared, std::uint64_t conflicts) {
  return {.file = "a.cu",
          .line = number,
          .instructions = instructions,
          .active_lanes = lanes,
          .requests = requests,
          .sectors = sectors,
          .shared_requests = shared,
          .conflicts = conflicts};
}

TEST(Counts, add_up_a_launch_after_the_other) {
  const auto kernels = counts_by_kernel({launch("k", 100, 32), launch("other", 1, 1), launch("k", 300, 16)});
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].kernel, "k");
  EXPECT_EQ(kernels[0].launches, 2U);
  EXPECT_EQ(kernels[0].shape, "8 x 32");
  EXPECT_TRUE(kernels[0].same_shape);
  EXPECT_DOUBLE_EQ(kernels[0].active_lanes(), 20) << "weighted by instructions";
  EXPECT_DOUBLE_EQ(kernels[0].sectors_per_load(), 32);
  EXPECT_DOUBLE_EQ(kernels[0].sectors_per_store(), 0);
}

TEST(Counts, are_empty_where_nothing_was_counted) {
  const auto kernels = counts_by_kernel({wire::Launch{.kernel = "k", .work = {}, .when = {}}});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_TRUE(kernels[0].counters.empty());
}

std::vector<Hint> hints_of(wire::CountedLine line) {
  const auto kernels = counts_by_kernel({launch("k", 1000, 32, {std::move(line)})});
  return hints_for(kernels.front(), 3);
}

TEST(Hints, name_scattered_accesses_conflicts_and_idle_lanes) {
  const auto scattered = hints_of(line(7, 10, 32, 10, 320, 0, 0));
  ASSERT_EQ(scattered.size(), 1U);
  EXPECT_EQ(scattered[0].line, 7);
  EXPECT_THAT(scattered[0].message, HasSubstr("32.0 sectors per request"));
  const auto conflicts = hints_of(line(8, 10, 32, 0, 0, 10, 310));
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_THAT(conflicts[0].message, HasSubstr("310 bank conflicts, 31.0 per request"));
  const auto idle = hints_of(line(9, 500, 2, 0, 0, 0, 0));
  ASSERT_EQ(idle.size(), 1U);
  EXPECT_THAT(idle[0].message, HasSubstr("2.0 of 32 lanes"));
}

TEST(Hints, leave_good_lines_alone) {
  EXPECT_THAT(hints_of(line(7, 500, 32, 10, 160, 10, 0)), IsEmpty()) << "16-byte values in a row";
  EXPECT_THAT(hints_of(line(7, 5, 1, 0, 0, 0, 0)), IsEmpty()) << "one lane, and little of the kernel";
}

TEST(Hints, are_few_and_the_costliest_first) {
  std::vector<wire::CountedLine> lines;
  for (std::uint64_t i = 1; i <= 5; ++i)
    lines.push_back(line(static_cast<int>(i), 10, 32, 10 * i, 320 * i, 0, 0));
  const auto kernels = counts_by_kernel({launch("k", 1000, 32, lines)});
  const auto hints = hints_for(kernels.front(), 2);
  ASSERT_EQ(hints.size(), 2U);
  EXPECT_EQ(hints[0].line, 5);
  EXPECT_EQ(hints[1].line, 4);
}

}  // namespace
}  // namespace warpmark::program_analysis
