// What the rules say for a check, the worked examples of new assignments, and the reports.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignment_check/shapes.h"
#include "harness/base/file.h"
#include "harness/judge/rules/rubric.h"
#include "reports/assignment/reports.h"

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kRules = R"(title = "Sums"
contract = "sums.h"
types = ["int"]
EQUIVALENT
[points]
builds = 1
correct = 4

[correct]
sizes = [0, 1]

[[version]]
name = "v01"
checks = ["builds", "correct"]
VERSION
)";

std::string rules(const std::string& equivalent, const std::string& version) {
  std::string text(kRules);
  text.replace(text.find("EQUIVALENT"), 10, equivalent);
  text.replace(text.find("VERSION"), 7, version);
  return text;
}

TEST(Rubric, reads_equivalent_mutants_and_what_the_naive_version_may_earn) {
  const auto rubric = judge::parse_rubric(
      rules(
          R"toml(equivalent = [{line = "if (i < n)", edit = "< to <="}, {line = "x", edit = "y", nth = 2, version = "v01"}])toml",
          "naive_may_earn = 0.7"),
      "a.toml", "sums");
  ASSERT_TRUE(rubric) << rubric.error().message;
  ASSERT_EQ(rubric->equivalent.size(), 2U);
  EXPECT_EQ(rubric->equivalent[0].line, "if (i < n)");
  EXPECT_EQ(rubric->equivalent[0].nth, 1U);
  EXPECT_EQ(rubric->equivalent[0].at, 4);
  EXPECT_EQ(rubric->equivalent[1].nth, 2U);
  EXPECT_EQ(rubric->equivalent[1].version, "v01");
  EXPECT_EQ(rubric->versions[0].naive_may_earn, 0.7);
}

TEST(Rubric, refuses_wrong_entries_with_their_line) {
  const auto message = [](const std::string& equivalent, const std::string& version) {
    const auto rubric = judge::parse_rubric(rules(equivalent, version), "a.toml", "sums");
    return rubric ? "accepted" : rubric.error().message;
  };
  EXPECT_THAT(message("equivalent = [3]", ""),
              HasSubstr("a.toml:4: each entry of equivalent must be a table"));
  EXPECT_THAT(message(R"(equivalent = [{line = "x"}])", ""),
              HasSubstr("a.toml:4: equivalent.edit is missing"));
  EXPECT_THAT(message(R"(equivalent = [{line = "x", edit = "y", version = "v9"}])", ""), HasSubstr("v9"));
  EXPECT_THAT(message("", "naive_may_earn = 1.5"), HasSubstr("naive_may_earn must be from 0 to 1"));
}

TEST(Rubric, reports_the_mistakes_of_all_parts_at_once) {
  std::string text = rules("", "");
  text.replace(text.find("sizes = [0, 1]"), 14, "sizes = 3");
  text +=
      "\n[[version]]\nname = \"v02\"\nchecks = [\"correct\"]\n\n[[version]]\nname = \"v03\"\nchecks = "
      "[\"builds\", \"quick\"]\n";
  const auto rubric = judge::parse_rubric(text, "a.toml", "sums");
  ASSERT_FALSE(rubric);
  EXPECT_THAT(rubric.error().message,
              AllOf(HasSubstr("correct.sizes must be a list"), HasSubstr("v02: checks must begin"),
                    HasSubstr("no check is called \"quick\"")));
}

TEST(Rubric, blames_no_version_for_a_mistake_in_the_common_points) {
  std::string text = rules("", "");
  const std::size_t at = text.find("[points]");
  ASSERT_NE(at, std::string::npos);
  text.insert(at + 8, "\nquick = 3");
  text.insert(text.find("[[version]]"),
              "[fast]\nsize = 8\n\n[[correct.group]]\nname = \"small\"\nsizes = [0]\npoints = 1\n\n");
  text.replace(text.find("checks = [\"builds\", \"correct\"]"), 30,
               "checks = [\"builds\", \"correct\", \"fast\"]\nspeedup = 2");
  text.insert(0, "naive = \"v01\"\n");
  const auto rubric = judge::parse_rubric(text, "a.toml", "sums");
  ASSERT_FALSE(rubric);
  EXPECT_THAT(rubric.error().message,
              AllOf(HasSubstr("points.quick is not known"), Not(HasSubstr("no points for the check")),
                    Not(HasSubstr("groups of sizes"))));
}

TEST(Shapes, are_those_that_the_manual_names) {
  EXPECT_THAT(shapes(WARPMARK_ROOT), ElementsAre("image", "matrix", "program", "scalar", "vector"));
}

TEST(NewAssignment, has_its_name_everywhere) {
  const TemporaryFolder folder;
  for (const std::string& shape : shapes(WARPMARK_ROOT)) {
    const auto written = write_assignment(WARPMARK_ROOT, "my_" + shape, shape, folder.path());
    ASSERT_TRUE(written) << written.error().message;
    for (const char* file : {"assignment.toml", "README.md", "reference"})
      EXPECT_TRUE(fs::exists(*written / file)) << file;
    for (const std::string& file : {std::string("expected.cpp"), "my_" + shape + ".h"})
      EXPECT_EQ(fs::exists(*written / file), shape != "program") << file;
    for (const auto& entry : fs::recursive_directory_iterator(*written)) {
      if (!entry.is_regular_file()) continue;
      EXPECT_THAT(read_file(entry.path()).value_or(""), Not(HasSubstr("assignment_name"))) << entry.path();
    }
  }
}

TEST(NewAssignment, refuses_an_existing_folder_and_bad_names) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& name, const std::string& shape) {
    const auto written = write_assignment(WARPMARK_ROOT, name, shape, folder.path());
    return written ? "written" : written.error().message;
  };
  fs::create_directories(folder.path() / "there");
  EXPECT_THAT(refusal("there", "vector"), HasSubstr("exists"));
  for (const char* name : {"", "Sum", "2d", "a-b", "../a", "a b", "_a"})
    EXPECT_THAT(refusal(name, "vector"), HasSubstr("is no name for an assignment")) << name;
  EXPECT_THAT(refusal("sum", "cube"), HasSubstr("there are: image, matrix, program, scalar, vector"));
  EXPECT_TRUE(fs::is_empty(folder.path() / "there"));
}

AssignmentReport report_with(Fate fate) {
  AssignmentReport report;
  report.assignment = "sums";
  report.kinds = {{"comparison", "< and <= exchanged"}};
  report.mutants = {{"v01", "v01.cu", "comparison", 7, "if (i < n) <b>", "< to <=", 2, fate,
                     fate == Fate::failed ? "correct" : "", "", "a size of 33"}};
  report.all_mutants = 3;
  report.gaps = {{Standing::elsewhere, "needs a GPU", "", 0, ""}};
  return report;
}

TEST(AssignmentReport, is_open_while_a_mutant_survives) {
  EXPECT_EQ(report_with(Fate::survived).exit_status(), 1);
  EXPECT_EQ(report_with(Fate::undecided).exit_status(), 1);
  for (const Fate fate :
       {Fate::failed, Fate::equivalent, Fate::same_code, Fate::not_compiled, Fate::out_of_reach})
    EXPECT_EQ(report_with(fate).exit_status(), 0);
}

TEST(AssignmentReport, shows_survivors_with_place_edit_and_remedy) {
  const auto report = report_with(Fate::survived);
  const std::string console = to_console(report, {});
  EXPECT_THAT(console, AllOf(HasSubstr("v01.cu:7: if (i < n) <b>"), HasSubstr("< to <="),
                             HasSubstr("nth = 2"), HasSubstr("a size of 33"), HasSubstr("1 of 3 mutants"),
                             HasSubstr("Not ready: 1 thing is left"),
                             HasSubstr("{line = \"if (i < n) <b>\", edit = \"< to <=\", nth = 2}")));
  const std::string page = to_html(report);
  EXPECT_THAT(page, AllOf(HasSubstr("v01.cu:7"), HasSubstr("if (i &lt; n) &lt;b&gt;"),
                          HasSubstr("a size of 33"), HasSubstr("&lt; and &lt;= exchanged")));
}

TEST(AssignmentReport, says_why_no_mutant_was_graded) {
  AssignmentReport report;
  report.worth = {{"reference", "simulator", "v01", 30, 100, 0, 100, Standing::open, "correct: wrong"}};
  EXPECT_THAT(to_console(report, {}),
              HasSubstr("None was graded: a version's mutants wait for its solution"));
}

TEST(AssignmentReport, is_ready_when_only_a_gpu_is_missing) {
  EXPECT_THAT(to_console(report_with(Fate::failed), {}),
              AllOf(HasSubstr("Ready: nothing is left open"), HasSubstr("1 is not decided here")));
}

}  // namespace
}  // namespace warpmark::assignment_check
