// Points in parts, on the simulator: a rubric of one's own with groups of sizes, a weight, a need and a
// bonus.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const fs::path kTheRoot = WARPMARK_ROOT;

class PointsCommand : public CommandTest {
 protected:
  PointsCommand() {
    std::string text = read_file(kTheRoot / "harness/assignments/warmup/assignment.toml").value_or("");
    replace(text, "shifted_size = 4099\n", R"(shifted_size = 4099

[[correct.group]]
name = "tiny"
sizes = [0, 1, 2]
points = 1

[[correct.group]]
name = "large"
sizes = [65537, 100003]
points = 2
)");
    replace(text, "name = \"w01_thread_per_element\"\n", "name = \"w01_thread_per_element\"\nweight = 2\n");
    replace(text, "name = \"w02_grid_stride\"\n",
            "name = \"w02_grid_stride\"\nneeds = \"w01_thread_per_element\"\nbonus = true\n");
    EXPECT_TRUE(write_file(rubric, text));
    fs::create_directories(submission);
    for (const char* name : {"w01_thread_per_element.cu", "w02_grid_stride.cu"})
      fs::copy_file(kTheRoot / "reference/warmup" / name, submission / name);
  }
  static void replace(std::string& text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), by);
  }
  Grade graded() const {
    const Child child = run({"grade", submission.string(), "--engine", "simulator", "--assignment", "warmup",
                             "--rubric", rubric.string(), "--out", out.string(), "--seed", "7"});
    const auto grade = grade_from_json(read_file(out / "grade.json").value_or(""));
    EXPECT_TRUE(grade) << child.output;
    return grade ? *grade : Grade{};
  }
  static const CheckResult& check(const Grade& grade, const std::string& id) {
    const auto found = std::ranges::find(grade.checks, "warmup." + id, &CheckResult::id);
    EXPECT_NE(found, grade.checks.end()) << id;
    return *found;
  }

  const fs::path rubric = folder.path() / "own.toml";
  const fs::path submission = folder.path() / "handed_in";
};

TEST_F(PointsCommand, a_right_submission_earns_the_weighted_points_and_the_bonus_beside_them) {
  const Grade grade = graded();
  EXPECT_EQ(grade.score.points, 20);
  EXPECT_EQ(grade.score.possible, 20);
  EXPECT_EQ(grade.score.bonus, 10);
  EXPECT_EQ(grade.score.bonus_possible, 10);
  EXPECT_EQ(grade.exit_status, 0);
}

TEST_F(PointsCommand, a_version_that_is_wrong_for_no_values_earns_the_large_sizes_and_takes_what_needs_it) {
  std::string text = read_file(submission / "w01_thread_per_element.cu").value_or("");
  replace(text, "  if (n == 0) return;\n", "");
  ASSERT_TRUE(write_file(submission / "w01_thread_per_element.cu", text));
  const Grade grade = graded();
  const CheckResult& correct = check(grade, "w01_thread_per_element.correct");
  EXPECT_EQ(correct.verdict, Verdict::failed);
  EXPECT_EQ(correct.points, 4);
  EXPECT_EQ(correct.possible, 8);
  ASSERT_EQ(correct.parts.size(), 2U);
  EXPECT_FALSE(correct.parts[0].reached);
  EXPECT_TRUE(correct.parts[1].reached);
  const CheckResult& needing = check(grade, "w02_grid_stride.correct");
  EXPECT_EQ(needing.verdict, Verdict::passed);
  EXPECT_EQ(needing.bonus, 0);
  EXPECT_EQ(needing.bonus_possible, 4);
  ASSERT_EQ(needing.notes.size(), 1U);
  EXPECT_EQ(needing.notes[0].kind, CauseKind::depends);
  EXPECT_EQ(grade.score.points, 4) << "builds, clean and work ask for all of `correct`";
  EXPECT_EQ(grade.score.possible, 20);
  EXPECT_EQ(grade.score.bonus, 0);
  EXPECT_EQ(grade.exit_status, 1);
  EXPECT_THAT(read_file(out / "index.html").value_or(""),
              AllOf(HasSubstr("4 points: sizes: large"), HasSubstr("in part"),
                    HasSubstr("earns points only when <code>w01_thread_per_element</code> is right")));
}

}  // namespace
}  // namespace warpmark
