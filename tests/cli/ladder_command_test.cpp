// ladder as a child process. What it measures is tested in tests/bench, what it writes in tests/reports.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/ladder.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class LadderCommand : public CommandTest {
 protected:
  const fs::path committed = root / "reports/ladder/nvidia-h200.json";
};

TEST_F(LadderCommand, help_names_its_options) {
  EXPECT_THAT(run({"ladder", "--help"}).output, AllOf(HasSubstr("--from"), HasSubstr("--compare"),
                                                      HasSubstr("--readme"), HasSubstr("--seconds")));
}

TEST_F(LadderCommand, measures_the_sums_on_the_cpu_anywhere_and_writes_its_results) {
  const Child child = run({"ladder", "--from", "10", "--to", "12", "--versions", "cpu_*", "--seconds", "30",
                           "--out", out.string(), "--json", (folder.path() / "copy.json").string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("cpu_one_thread"), HasSubstr("2^12"),
                                  HasSubstr((out / "index.html").string())));
  const std::string text = read_file(out / "ladder.json").value_or("");
  const auto ladder = ladder_from_json(text);
  ASSERT_TRUE(ladder) << ladder.error().message;
  EXPECT_EQ(read_file(folder.path() / "copy.json").value_or(""), text);
  EXPECT_THAT(ladder->setting.cpu, Not(IsEmpty()));
  for (const LadderSeries& series : ladder->series) EXPECT_NE(series.at(4096), nullptr) << series.name;
  EXPECT_TRUE(fs::exists(out / "index.html"));
}

TEST_F(LadderCommand, shows_a_result_again) {
  const Child child = run({"ladder", "--show", committed.string(), "--out", out.string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("v21_peak"), HasSubstr("NVIDIA")));
  EXPECT_TRUE(fs::exists(out / "index.html"));
}

TEST_F(LadderCommand, the_readme_holds_the_table_of_the_committed_result) {
  const fs::path copy = folder.path() / "README.md";
  fs::copy_file(root / "reports/ladder/README.md", copy);
  const Child child = run({"ladder", "--readme", committed.string(), "--into", copy.string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("up to date")) << "run: ./warpmark ladder --readme " << committed;
  EXPECT_EQ(read_file(copy).value_or(""), read_file(root / "reports/ladder/README.md").value_or("-"));
}

TEST_F(LadderCommand, makes_the_page_to_hand_in_of_another_assignment) {
  const Child child = run({"ladder", "--assignment", "grids", "--evaluation", "--from", "10", "--to", "12",
                           "--seconds", "0.1", "--out", out.string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("threads: cpu_threads: "), HasSubstr("grids has no such version"),
                                  HasSubstr((out / "evaluation.html").string())));
  EXPECT_THAT(read_file(out / "evaluation.html").value_or(""), HasSubstr("from one core to GPUs"));
}

// Versions in C++ and ranks, each in workers of its own.
TEST_F(LadderCommand, makes_the_page_to_hand_in_of_versions_that_a_submission_has_for_the_cpu) {
  const Child child = run({"ladder", "--assignment", "knn", "--evaluation", "--versions", "k0[13]*", "--from",
                           "4", "--to", "5", "--seconds", "0.1", "--out", out.string()});
  EXPECT_EQ(child.status, 0) << child.output;
  const auto ladder = ladder_from_json(read_file(out / "ladder.json").value_or(""));
  ASSERT_TRUE(ladder) << ladder.error().message;
  const auto timed = [&](std::string_view way, unsigned ranks) {
    return std::ranges::any_of(ladder->series, [&](const LadderSeries& series) {
      return series.way == way && series.ranks == ranks && series.at(16) != nullptr;
    });
  };
  EXPECT_TRUE(timed(kOneCore, 0)) << child.output;
  if (child.output.find("install Open MPI") != std::string::npos) GTEST_SKIP() << "no MPI";
  EXPECT_TRUE(timed(kRanks, 1)) << child.output;
}

TEST_F(LadderCommand, makes_the_page_to_hand_in_of_a_result) {
  const Child child = run({"ladder", "--show", committed.string(), "--evaluation", "--out", out.string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("GPU: v21_peak: "));
  EXPECT_TRUE(fs::exists(out / "evaluation.html"));
}

TEST_F(LadderCommand, says_what_it_cannot_use) {
  const auto expect = [&](std::vector<std::string> arguments, const char* message) {
    arguments.insert(arguments.begin(), {"ladder", "--out", out.string()});
    const Child child = run(arguments);
    EXPECT_EQ(child.status, 2) << child.output;
    EXPECT_THAT(child.output, HasSubstr(message));
  };
  expect({"--from", "12", "--to", "11"}, "--from 12 is above --to 11");
  expect({"--from", "32"}, "--from");
  expect({"--versions", "nobody"}, "nobody");
  expect({"--type", "half"}, "half");
  expect({"nowhere"}, "no such folder");
  expect({"--assignment", "nothing"}, "no assignment is called nothing; there are: ");
  expect({"--show", "/nowhere.json"}, "/nowhere.json");
  expect({"--compare", "v21_peak", "v21_peak"}, "name two versions");
  expect({"--compare", "v21_peak"}, "--compare");
}

TEST_F(LadderCommand, a_file_without_markers_is_left_as_it_was) {
  const fs::path text = folder.path() / "text.md";
  ASSERT_TRUE(write_file(text, "nothing\n"));
  const Child child = run({"ladder", "--readme", committed.string(), "--into", text.string()});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("<!-- ladder -->"));
  EXPECT_EQ(read_file(text).value_or(""), "nothing\n");
}

}  // namespace
}  // namespace warpmark
