// A submission in which no version ever ends: the grade says so, and is there within a minute.
#include <chrono>
#include <filesystem>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/judge.h"
#include "harness/judge/rules/rubric.h"
#include "tests/home.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

constexpr std::chrono::seconds kMost{60};

struct Loop {
  std::string name;
  std::string body;
};

std::ostream& operator<<(std::ostream& out, const Loop& loop) {
  return out << loop.name;
}

class EndlessLong : public testing::TestWithParam<Loop> {};

TEST_P(EndlessLong, versions_take_less_than_a_minute_and_are_told_so) {
  const auto rubric = read_rubric(home_of("reduction"));
  ASSERT_TRUE(rubric) << rubric.error().message;
  const TemporaryFolder scratch;
  const fs::path submission = scratch.path() / "submission";
  fs::create_directory(submission);
  std::set<std::string> endless;
  for (const VersionRule& version : rubric->versions) {
    if (version.gpu_only || version.given) continue;
    const std::string text = fmt::format(
        "#include \"reduction.h\"\n"
        "__global__ void goes_on(volatile value_t* sum) {{\n{}}}\n"
        "extern \"C\" void {}(const value_t*, std::size_t, value_t* sum, Workspace, cudaStream_t stream) {{\n"
        "  goes_on<<<4, 256, 0, stream>>>(sum);\n}}\n",
        GetParam().body, version.name);
    ASSERT_TRUE(write_file(submission / (version.name + ".cu"), text));
    endless.insert(version.name);
  }
  GradeOptions options;
  options.submission = submission;
  options.assignment = "reduction";
  options.engine = Engine::simulator;
  options.cache = WARPMARK_CACHE;
  const auto start = std::chrono::steady_clock::now();
  const auto grade = grade_submission({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB}, options);
  const auto took = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(grade) << grade.error().message;

  std::size_t told = 0;
  for (const CheckResult& check : grade->checks) {
    if (check.check != "correct" || check.causes.empty() || !endless.contains(check.version)) continue;
    if (check.causes.front().kind == CauseKind::no_compiler) GTEST_SKIP() << check.causes.front().message;
    EXPECT_THAT(name_of(check.causes.front().kind), AnyOf("endless_loop", "timed_out")) << check.id;
    ++told;
  }
  EXPECT_EQ(told, endless.size());
  EXPECT_LT(took, kMost);
  RecordProperty("seconds", static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(took).count()));
}

INSTANTIATE_TEST_SUITE_P(
    , EndlessLong,
    testing::Values(Loop{"the_state_repeats", "  while (*sum != 12345) {\n  }\n"},
                    Loop{"registers_change", "  for (unsigned long long k = 1; k != 0; k += 2) *sum = k;\n"}),
    [](const auto& entry) { return entry.param.name; });

}  // namespace
}  // namespace warpmark::judge
