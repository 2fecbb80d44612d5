#include "reports/formats/ci.h"

#include <nlohmann/json.hpp>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/text.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

// Every text of a student's says the worst that a log, a page or a file of commands could take for its own.
Grade hostile_grade() {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) {
    text +=
        "\n::error file=x::forged\n::set-output name=a::b\r::stop-commands::x\n##[group]a, b: %0A <img "
        "src=x> "
        "[a](http://b) @everyone | `c` ![d](e) \x1b[31m";
  });
  return grade;
}

TEST(GithubAnnotations, name_file_line_and_cause) {
  const auto lines = lines_of(github_annotations(sample_grade(), "reduction"));
  EXPECT_THAT(lines, ::testing::Contains(AllOf(
                         StartsWith("::error file=reduction/v07_tree_sequential.cu,line=31,title=reduction."
                                    "v07_tree_sequential.correct::The sum of 1023 values"),
                         HasSubstr("%0Aexpected: 1046528%0Aactual: 1044991"))));
  // What is our fault or noise is no error of the student's.
  EXPECT_THAT(lines, ::testing::Contains(StartsWith("::warning ")));
}

TEST(GithubAnnotations, name_the_file_of_the_version_where_the_cause_has_none) {
  Grade grade = sample_grade();
  CheckResult failed;
  for (const CheckResult& check : grade.checks) {
    if (check.check == "correct" && check.verdict == Verdict::failed) failed = check;
  }
  failed.causes.front().file.clear();
  for (const auto& [engine, ending] :
       {std::pair(Engine::simulator, "cu"), std::pair(Engine::gpu, "cu"), std::pair(Engine::host, "cpp"),
        std::pair(Engine::thread_sanitizer, "cpp")}) {
    failed.engine = engine;
    grade.checks = {failed};
    const std::string file = fmt::format("a/{}.{}", failed.version, ending);
    EXPECT_THAT(github_annotations(grade, "a"), HasSubstr("::error file=" + file + ",line="));
    EXPECT_THAT(gitlab_code_quality(grade, "a"), HasSubstr("\"" + file + "\""));
  }
}

TEST(GithubAnnotations, leave_out_what_was_not_begun) {
  EXPECT_THAT(github_annotations(sample_grade(), "."), Not(HasSubstr("not_implemented")));
  EXPECT_THAT(github_annotations(sample_grade(), "."), Not(HasSubstr("template")));
}

TEST(GithubAnnotations, hold_one_command_a_line_whatever_comes) {
  for (const std::string& line : lines_of(github_annotations(hostile_grade(), "a,b:c"))) {
    EXPECT_THAT(line, MatchesRegex("::(error|warning|notice) [^:]*::.*"));
    EXPECT_THAT(line, Not(HasSubstr("\r")));
  }
}

TEST(GithubAnnotations, stop_where_github_does_and_say_so) {
  Grade grade = sample_grade();
  CheckResult failed;
  for (const CheckResult& check : grade.checks) {
    if (check.check == "correct" && check.verdict == Verdict::failed) failed = check;
  }
  grade.checks.assign(25, failed);
  const auto lines = lines_of(github_annotations(grade, ""));
  EXPECT_EQ(lines.size(), 11U);
  EXPECT_EQ(lines.back(), "::notice title=Warpmark::15 more failures are in the summary of this job");
}

TEST(GithubError, is_one_line_whatever_comes) {
  EXPECT_EQ(github_error("no such folder\n::error::x"),
            "::error title=Warpmark::no such folder%0A:\\:error::x\n");
}

TEST(GithubSummary, has_score_table_and_failures) {
  const std::string text = github_summary(sample_grade());
  EXPECT_THAT(text, AllOf(StartsWith("## reduction: 30 of 82 points"), HasSubstr("| version | builds |"),
                          HasSubstr("### reduction&#46;v07&#95;tree&#95;sequential&#46;correct"),
                          HasSubstr("expected: <code>1046528</code>")));
}

TEST(GithubSummary, holds_no_markup_of_others) {
  const std::string text = github_summary(hostile_grade());
  EXPECT_THAT(text, AllOf(Not(HasSubstr("<img")), Not(HasSubstr("](")), Not(HasSubstr("@everyone")),
                          Not(HasSubstr("`")), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(lines_of(text), Each(Not(StartsWith("::"))));
  EXPECT_LT(text.size(), 1U << 20);
}

TEST(GitlabCodeQuality, has_an_issue_a_failure) {
  const auto issues = nlohmann::json::parse(gitlab_code_quality(sample_grade(), "reduction"));
  ASSERT_FALSE(issues.empty());
  std::set<std::string> fingerprints;
  bool found = false;
  for (const auto& issue : issues) {
    for (const char* member : {"description", "check_name", "fingerprint", "severity", "location"})
      EXPECT_TRUE(issue.contains(member)) << member;
    EXPECT_THAT((std::set<std::string>{"info", "minor", "major", "critical", "blocker"}),
                ::testing::Contains(issue["severity"]));
    fingerprints.insert(issue["fingerprint"]);
    found = found || (issue["location"]["path"] == "reduction/v07_tree_sequential.cu" &&
                      issue["location"]["lines"]["begin"] == 31 && issue["check_name"] == "wrong_sum");
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(fingerprints.size(), issues.size());
}

TEST(GitlabCodeQuality, is_json_whatever_comes) {
  EXPECT_TRUE(nlohmann::json::accept(gitlab_code_quality(hostile_grade(), "x")));
}

TEST(WithoutCommands, switches_them_off_and_on_again) {
  EXPECT_EQ(without_commands("::error::x", "secret"), "::stop-commands::secret\n::error::x\n::secret::\n");
}

}  // namespace
}  // namespace warpmark
