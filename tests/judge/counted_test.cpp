// What of a worker's counts reaches the grade.
#include "harness/judge/cases/counted.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "harness/base/counters.h"
#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

wire::Launch launch(const std::string& kernel, double load_requests, double load_sectors, double instructions,
                    double lanes, std::vector<wire::CountedLine> lines = {}) {
  wire::Launch launch;
  launch.kernel = kernel;
  wire::CountedWork& work = launch.work.emplace();
  work.counters.set(counter::kLoadRequests, load_requests);
  work.counters.set(counter::kLoadSectors, load_sectors);
  work.counters.set(counter::kInstructions, instructions);
  work.counters.set(counter::kActiveLanes, lanes);
  work.lines = std::move(lines);
  return launch;
}

wire::CountedLine line(const std::string& file, int number, std::uint64_t instructions, double lanes,
                       std::uint64_t requests) {
  return {.file = file,
          .line = number,
          .instructions = instructions,
          .active_lanes = lanes,
          .requests = requests,
          .sectors = 4 * requests,
          .conflicts = 1};
}

double counter_of(const CountedKernel& kernel, std::string_view name) {
  for (const auto& [counter, value] : kernel.counters) {
    if (counter == name) return value;
  }
  ADD_FAILURE() << name;
  return -1;
}

class CountedTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file(folder.path() / "a.cu", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"));
    submission.folder = std::filesystem::canonical(folder.path());
  }
  [[nodiscard]] std::optional<Counted> counted(const std::vector<wire::Launch>& launches) const {
    return counted_by(launches, submission, "v07", {"int", "small", 1000, 0, 1});
  }

  TemporaryFolder folder;
  Submission submission;
};

TEST_F(CountedTest, sums_launches_by_kernel_and_means_by_their_weight) {
  const auto found =
      counted({launch("a", 10, 40, 100, 32), launch("b", 2, 64, 10, 1), launch("a", 30, 120, 300, 16)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->version, "v07");
  EXPECT_EQ(found->n, 1000U);
  ASSERT_EQ(found->kernels.size(), 2U);
  EXPECT_EQ(found->kernels[0].kernel, "a");
  EXPECT_EQ(found->kernels[0].launches, 2U);
  EXPECT_EQ(counter_of(found->kernels[0], counter::kLoadRequests), 40);
  EXPECT_EQ(counter_of(found->kernels[0], counter::kActiveLanes), 20);
  EXPECT_EQ(counter_of(found->kernels[1], counter::kLoadSectors), 64);
  EXPECT_DOUBLE_EQ(found->sectors_per_request, 224.0 / 42);
  EXPECT_DOUBLE_EQ(found->requests_per_element, 0.042);
}

TEST_F(CountedTest, shows_the_lines_that_ran_with_those_around_them) {
  const auto found = counted({launch("a", 1, 4, 10, 32, {line("a.cu", 6, 10, 32, 5)}),
                              launch("a", 1, 4, 10, 32, {line("a.cu", 6, 30, 16, 3)})});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->lines.size(), 5U);
  EXPECT_EQ(found->lines[0].text, "four");
  EXPECT_EQ(found->lines[0].instructions, 0U);
  EXPECT_EQ(found->lines[2].line, 6);
  EXPECT_EQ(found->lines[2].text, "six");
  EXPECT_EQ(found->lines[2].instructions, 40U);
  EXPECT_EQ(found->lines[2].requests, 8U);
  EXPECT_DOUBLE_EQ(found->lines[2].active_lanes, 20);
  EXPECT_EQ(found->lines[2].sectors_per_request, 4);
  EXPECT_EQ(found->lines[2].bank_conflicts, 2U);
  EXPECT_EQ(found->lines[4].text, "eight");
}

TEST_F(CountedTest, shows_no_file_outside_the_submission) {
  std::filesystem::create_symlink("/etc/passwd", folder.path() / "link.cu");
  const auto found = counted(
      {launch("a", 1, 4, 10, 32,
              {line("/etc/passwd", 1, 1, 1, 1), line("../a.cu", 1, 1, 1, 1), line("link.cu", 1, 1, 1, 1),
               line("no_such.cu", 1, 1, 1, 1), line("a.cu", 999, 1, 1, 1)})});
  ASSERT_TRUE(found);
  for (const CountedLine& shown : found->lines)
    ADD_FAILURE() << shown.file << ":" << shown.line << " " << shown.text;
}

TEST_F(CountedTest, has_no_more_lanes_than_a_warp) {
  const auto found = counted({launch("a", 1, 4, 10, 99)});
  ASSERT_TRUE(found);
  EXPECT_EQ(counter_of(found->kernels[0], counter::kActiveLanes), 32);
}

// Empty launches before the one that does the work do not hide it.
TEST_F(CountedTest, counts_every_launch_of_a_call) {
  std::vector<wire::Launch> launches(12'000, launch("nothing", 0, 0, 1, 32));
  launches.push_back(launch("slow", 1000, 4000, 10, 32));
  EXPECT_EQ(value_of(WorkCounter::launches, {launches}, 1000), 12'001);
  EXPECT_EQ(value_of(WorkCounter::load_requests_a_value, {launches}, 1000), 1);
  const auto found = counted(launches);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->kernels.size(), 2U);
  EXPECT_EQ(counter_of(found->kernels[1], counter::kLoadRequests), 1000);
}

TEST_F(CountedTest, keeps_no_more_than_a_person_reads) {
  std::vector<wire::Launch> launches;
  std::string source;
  for (int i = 0; i < 2000; ++i) {
    launches.push_back(launch("kernel" + std::to_string(i), 1, 4, 10, 32, {line("long.cu", 1 + i, 1, 1, 1)}));
    source += std::string(10000, 'x') + "\n";
  }
  ASSERT_TRUE(write_file(folder.path() / "long.cu", source));
  const auto found = counted(launches);
  ASSERT_TRUE(found);
  EXPECT_LE(found->kernels.size(), 20U);
  EXPECT_LE(found->lines.size(), 300U);
  EXPECT_FALSE(found->lines.empty());
  EXPECT_LE(found->lines[0].text.size(), 300U);
}

TEST_F(CountedTest, is_nothing_when_nothing_was_counted) {
  EXPECT_FALSE(counted({}));
  wire::Launch uncounted;
  uncounted.kernel = "a";
  EXPECT_FALSE(counted({uncounted}));
}

}  // namespace
}  // namespace warpmark::judge
