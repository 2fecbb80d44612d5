// Makes every submission of the tables beside this file, grades it, and holds the grade against what the
// table says of it. By default ctest runs one of each cause, and every sixth of those without one.
#include <algorithm>
#include <iostream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/judge.h"
#include "tests/core.h"
#include "tests/edits/edits.h"
#include "tests/submissions/fixture.h"

namespace {

using namespace warpmark;
using namespace warpmark::submissions;

class SubmissionTest : public testing::Test {
 public:
  explicit SubmissionTest(Fixture tested) : fixture_(std::move(tested)) {}

  void TestBody() override {
    const TemporaryFolder scratch;
    const auto submission = edits::submission_of(fixture_.edits, fixture_.asks_for_upload());
    ASSERT_TRUE(submission) << submission.error().message;
    auto options = prepared(fixture_, scratch.path());
    ASSERT_TRUE(options) << options.error().message;
    options->cache = WARPMARK_CACHE;
    judge::Installation installed{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
    installed.sandbox = sandbox::best_level();  // as the command does
    const auto grade = judge::grade_submission(installed, *options);
    ASSERT_TRUE(grade.has_value()) << grade.error().message;
    std::size_t compared = 0;
    for (const Expectation& expected : fixture_.expectations)
      compared += compare(*grade, *submission, expected) ? 1 : 0;
    if (compared == 0)
      GTEST_SKIP() << "not run: every expectation is for another engine than this machine has";
  }

 private:
  // False when another engine decided.
  [[nodiscard]] static bool compare(const Grade& grade, const edits::Submission& submission,
                                    const Expectation& expected) {
    SCOPED_TRACE(expected.id);
    const auto check =
        std::find_if(grade.checks.begin(), grade.checks.end(),
                     [&](const CheckResult& candidate) { return candidate.id == expected.id; });
    if (check == grade.checks.end()) {
      ADD_FAILURE() << "the grade has no such check";
      return true;
    }
    if (!expected.engine.empty() && expected.engine != name_of(check->engine)) return false;
    // A check that only a GPU decides names it even where there is none.
    const bool has_gpu = std::any_of(grade.engines.begin(), grade.engines.end(),
                                     [](const EngineUsed& used) { return used.engine == Engine::gpu; });
    if (expected.engine == "gpu" && !has_gpu) return false;
    const std::string seen =
        check->causes.empty() ? "" : check->causes.front().message + "\n" + check->causes.front().details;
    EXPECT_EQ(name_of(check->verdict), expected.verdict) << seen;
    const std::string cause = check->causes.empty() ? "" : std::string(name_of(check->causes.front().kind));
    EXPECT_TRUE(edits::allows(expected.cause, cause)) << cause << ", not " << expected.cause << "\n" << seen;
    if (check->causes.empty()) return true;
    if (!expected.also.empty()) {
      EXPECT_TRUE(std::any_of(check->causes.begin() + 1, check->causes.end(), [&](const Cause& other) {
        return name_of(other.kind) == expected.also;
      })) << seen;
    }
    if (!expected.file.empty()) {
      EXPECT_EQ(check->causes.front().file, expected.file) << seen;
    }
    if (!expected.line.empty()) {
      const auto place = edits::place_of(submission.files, expected.line);
      EXPECT_TRUE(place) << place.error().message;
      EXPECT_EQ(check->causes.front().file, place->file) << seen;
      EXPECT_EQ(check->causes.front().line, place->line) << seen;
    }
    return true;
  }

  Fixture fixture_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    warpmark::Core core;
    const auto fixtures = read_fixtures(WARPMARK_CASES);
    if (!fixtures) throw std::runtime_error(fixtures.error().message);
    for (const Fixture& each : *fixtures) {
      testing::RegisterTest(core.takes(each.expectations.front().cause) ? "submissions" : "submissionsLong",
                            each.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [=]() -> testing::Test* { return new SubmissionTest(each); });
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return RUN_ALL_TESTS();
}
