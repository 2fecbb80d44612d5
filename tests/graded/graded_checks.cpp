// One GoogleTest a check of the rubric, each asserting on the grade that the fixture wrote. Trusted: it reads
// a file.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/score.h"
#include "harness/model/grade.h"

namespace {

using namespace warpmark;

struct Submission {
  std::string_view assignment;  // empty: told by its files
  const char* folder;
  const char* grade;  // the file that the fixture writes
};
constexpr Submission kSubmissions[] = {
#include "submissions.inc"
};

std::string text_of(const Cause& cause) {
  std::string text = std::string(name_of(cause.kind)) + ": " + cause.message;
  if (!cause.file.empty()) text += fmt::format("\n  at {}:{}", cause.file, cause.line);
  if (!cause.expected.empty()) text += fmt::format("\n  expected {}, got {}", cause.expected, cause.actual);
  if (!cause.again.empty()) text += "\n  again: " + cause.again;
  return text;
}

class GradedCheck : public testing::Test {
 public:
  GradedCheck(std::string id, const char* grade) : id_(std::move(id)), grade_(grade) {}

  void TestBody() override {
    const auto text = read_file(grade_);
    ASSERT_TRUE(text.has_value()) << text.error().message;
    const auto grade = grade_from_json(*text);
    ASSERT_TRUE(grade.has_value()) << grade.error().message;
    const auto check = std::find_if(grade->checks.begin(), grade->checks.end(),
                                    [this](const CheckResult& candidate) { return candidate.id == id_; });
    ASSERT_NE(check, grade->checks.end()) << "the grade has no check " << id_;
    if (check->verdict == Verdict::passed) return;
    ASSERT_FALSE(check->causes.empty()) << name_of(check->verdict) << " without a cause";
    const Cause& cause = check->causes.front();
    if (judge::exit_status_for(cause.kind) == 0) GTEST_SKIP() << "not run: " << cause.message;
    // Of a busy machine, not of the submission.
    if (cause.kind == CauseKind::noise) GTEST_SKIP() << "not decided: " << cause.message;
    FAIL() << name_of(check->verdict) << ": " << text_of(cause);
  }

 private:
  std::string id_;
  const char* grade_;
};

void add_test(const std::string& suite, const std::string& check, const char* grade) {
  testing::RegisterTest(suite.c_str(), check.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [=]() -> testing::Test* { return new GradedCheck(suite + "." + check, grade); });
}

// Adds a test for each check of the submission and returns what is wrong with it. Leaves out the assignments
// that GoogleTest's filter `wanted` does not name.
Result<void> add_tests(const Submission& submission, std::string_view wanted) {
  const bool any = wanted.find('*') != std::string_view::npos || submission.assignment.empty();
  if (!any && !wanted.starts_with(std::string(submission.assignment) + ".")) return {};
  const auto home = submission.assignment.empty()
                        ? judge::recognise_assignment(submission.folder, WARPMARK_ROOT)
                        : find_assignment(WARPMARK_ROOT, std::string(submission.assignment));
  if (!home) return tl::unexpected(home.error());
  const auto rubric = judge::read_rubric(*home);
  if (!rubric) return tl::unexpected(rubric.error());
  // As it was graded: what is reference only is left out of a submission that lacks it.
  for (const auto& version : judge::versions_in(submission.folder, *rubric)) {
    for (const judge::Check check : version.checks) {
      add_test(rubric->assignment + "." + version.name, std::string(name_of(check)), submission.grade);
    }
  }
  if (!rubric->upload.empty()) add_test(rubric->assignment, "upload_once", submission.grade);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const Submission& submission : kSubmissions) {
    if (const auto added = add_tests(submission, GTEST_FLAG_GET(filter)); !added) {
      fmt::print(stderr, "{}\n", added.error().message);
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
