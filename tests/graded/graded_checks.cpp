// One GoogleTest a check of the rubric, each asserting on the grade that the fixture wrote. Trusted: it reads
// a file.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/grade.h"

namespace {

using namespace warpmark;

std::string text_of(const Cause& cause) {
  std::string text = std::string(name_of(cause.kind)) + ": " + cause.message;
  if (!cause.file.empty()) text += fmt::format("\n  at {}:{}", cause.file, cause.line);
  if (!cause.expected.empty()) text += fmt::format("\n  expected {}, got {}", cause.expected, cause.actual);
  if (!cause.again.empty()) text += "\n  again: " + cause.again;
  return text;
}

class GradedCheck : public testing::Test {
 public:
  explicit GradedCheck(std::string id) : id_(std::move(id)) {}

  void TestBody() override {
    const auto text = read_file(WARPMARK_GRADE);
    ASSERT_TRUE(text.has_value()) << text.error().message;
    const auto grade = grade_from_json(*text);
    ASSERT_TRUE(grade.has_value()) << grade.error().message;
    const auto check = std::find_if(grade->checks.begin(), grade->checks.end(),
                                    [this](const CheckResult& candidate) { return candidate.id == id_; });
    ASSERT_NE(check, grade->checks.end()) << "the grade has no check " << id_;
    if (check->verdict == Verdict::passed) return;
    ASSERT_FALSE(check->causes.empty()) << name_of(check->verdict) << " without a cause";
    const Cause& cause = check->causes.front();
    if (rule_of(cause.kind).exit == 0) GTEST_SKIP() << "not run: " << cause.message;
    // Of a busy machine, not of the submission.
    if (cause.kind == CauseKind::noise) GTEST_SKIP() << "not decided: " << cause.message;
    FAIL() << name_of(check->verdict) << ": " << text_of(cause);
  }

 private:
  std::string id_;
};

void add_test(const std::string& suite, const std::string& check) {
  testing::RegisterTest(suite.c_str(), check.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [id = suite + "." + check]() -> testing::Test* { return new GradedCheck(id); });
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto assignment = judge::recognise_assignment(WARPMARK_SUBMISSION, WARPMARK_ROOT);
  if (!assignment) {
    fmt::print(stderr, "{}\n", assignment.error().message);
    return 2;
  }
  const auto rubric =
      judge::read_rubric(judge::assignment_folder(WARPMARK_ROOT, *assignment) / "rubric.toml", *assignment);
  if (!rubric) {
    fmt::print(stderr, "{}\n", rubric.error().message);
    return 2;
  }
  // As it was graded: what is reference only is left out of a submission that lacks it.
  for (const auto& version : judge::versions_in(WARPMARK_SUBMISSION, *rubric)) {
    for (const judge::Check check : version.checks) {
      add_test(rubric->assignment + "." + version.name, std::string(name_of(check)));
    }
  }
  if (!rubric->upload.empty()) add_test(rubric->assignment, "upload_once");
  return RUN_ALL_TESTS();
}
