// What of a worker's counts reaches the grade.
#include "harness/judge/cases/counted.h"

#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "harness/base/counters.h"
#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

using nlohmann::json;

json launch(const std::string& kernel, double load_requests, double load_sectors, double instructions,
            double lanes) {
  return {{"kernel", kernel},
          {"counters",
           {{counter::kLoadRequests, load_requests},
            {counter::kLoadSectors, load_sectors},
            {counter::kInstructions, instructions},
            {counter::kActiveLanes, lanes}}}};
}

json line(const std::string& file, int number, double instructions, double lanes, double requests) {
  return {{"file", file},          {"line", number},       {"instructions", instructions},
          {"active_lanes", lanes}, {"requests", requests}, {"sectors", 4 * requests},
          {"conflicts", 1}};
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
  [[nodiscard]] std::optional<Counted> counted(const json& launches) const {
    return counted_by(launches, submission, "v07", {"int", "small", 1000, 0, 1});
  }

  TemporaryFolder folder;
  Submission submission;
};

TEST_F(CountedTest, SumsLaunchesByKernelAndMeansByTheirWeight) {
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

TEST_F(CountedTest, ShowsTheLinesThatRanWithThoseAroundThem) {
  json first = launch("a", 1, 4, 10, 32);
  first["lines"] = {line("a.cu", 6, 10, 32, 5)};
  json second = launch("a", 1, 4, 10, 32);
  second["lines"] = {line("a.cu", 6, 30, 16, 3)};
  const auto found = counted({first, second});
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

TEST_F(CountedTest, ShowsNoFileOutsideTheSubmission) {
  std::filesystem::create_symlink("/etc/passwd", folder.path() / "link.cu");
  json forged = launch("a", 1, 4, 10, 32);
  forged["lines"] = {line("/etc/passwd", 1, 1, 1, 1), line("../a.cu", 1, 1, 1, 1),
                     line("link.cu", 1, 1, 1, 1), line("no_such.cu", 1, 1, 1, 1), line("a.cu", 999, 1, 1, 1)};
  const auto found = counted(json::array({forged}));
  ASSERT_TRUE(found);
  for (const CountedLine& shown : found->lines)
    ADD_FAILURE() << shown.file << ":" << shown.line << " " << shown.text;
}

TEST_F(CountedTest, LeavesOutNamesThatNoEngineCountsAndNumbersThatAreNone) {
  json forged = launch("a", -5, 1e300, 10, 99);
  forged["counters"]["points"] = 100;
  forged["counters"][counter::kBarriers] = "many";
  forged["counters"][counter::kShuffles] = std::numeric_limits<double>::quiet_NaN();
  const auto found =
      counted({forged, 7, "text", {{"kernel", "no counters"}}, {{"kernel", 7}, {"counters", {}}}});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->kernels.size(), 1U);
  EXPECT_EQ(found->kernels[0].counters.size(), kCounterNames.size());
  EXPECT_EQ(counter_of(found->kernels[0], counter::kLoadRequests), 0);
  EXPECT_LE(counter_of(found->kernels[0], counter::kLoadSectors), 9007199254740992.0);
  EXPECT_EQ(counter_of(found->kernels[0], counter::kActiveLanes), 32);
  EXPECT_EQ(counter_of(found->kernels[0], counter::kBarriers), 0);
  EXPECT_EQ(counter_of(found->kernels[0], counter::kShuffles), 0);
}

TEST_F(CountedTest, KeepsNoMoreThanAPersonReads) {
  json launches = json::array();
  std::string source;
  for (int i = 0; i < 2000; ++i) {
    launches.push_back(launch("kernel" + std::to_string(i), 1, 4, 10, 32));
    launches.back()["lines"] = {line("long.cu", 1 + i, 1, 1, 1)};
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

TEST_F(CountedTest, IsNothingWhenNothingWasCounted) {
  EXPECT_FALSE(counted(json::array()));
  EXPECT_FALSE(counted({{{"kernel", "a"}, {"grid", {1, 1, 1}}}}));
  EXPECT_FALSE(counted(json::object()));
}

}  // namespace
}  // namespace warpmark::judge
