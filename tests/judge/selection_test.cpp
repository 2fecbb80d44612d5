#include "harness/judge/selection.h"

#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

Course course(const std::string& only) {
  Course course;
  course.rubric.assignment = "sums";
  course.rubric.upload = "upload";
  course.only = only;
  course.rubric.versions.emplace_back().name = "v07_tree";
  course.rubric.versions.back().checks = {Check::builds, Check::correct};
  return course;
}

bool wants(const std::string& only, Check check) {
  const Course of = course(only);
  return Selection(of).wants(of.rubric.versions.front(), check);
}

TEST(Selection, matches_the_id_with_or_without_the_assignment_or_the_version_alone) {
  for (const char* only :
       {"*", "sums.v07_tree.correct", "v07_tree.correct", "v07_tree", "*.correct", "v07*"}) {
    EXPECT_TRUE(wants(only, Check::correct)) << only;
  }
  for (const char* only : {"v07", "sums.v07_tree", "*.builds", "correct", "upload_once"}) {
    EXPECT_FALSE(wants(only, Check::correct)) << only;
  }
}

TEST(Selection, wants_no_check_that_the_version_does_not_have) {
  EXPECT_FALSE(wants("*", Check::fast));
}

TEST(Selection, of_the_upload_runs_every_version) {
  const Course upload = course("upload_once");
  EXPECT_TRUE(Selection(upload).wants_upload());
  EXPECT_TRUE(Selection(upload).runs(upload.rubric.versions.front()));
  const Course other = course("v01*");
  EXPECT_FALSE(Selection(other).wants_upload());
  EXPECT_FALSE(Selection(other).runs(other.rubric.versions.front()));
}

TEST(Again, calls_the_program_from_where_the_command_was_typed) {
  EXPECT_EQ(program_from("/home/ann/warpmark", "/home/ann/warpmark/warpmark"), "./warpmark");
  EXPECT_EQ(program_from("/home/ann/warpmark/build", "/home/ann/warpmark/warpmark"), "../warpmark");
  EXPECT_EQ(program_from("/home/ann", "/home/ann/warpmark/warpmark"), "warpmark/warpmark");
  EXPECT_EQ(program_from("/a/b/c/d/e", "/opt/warpmark"), "/opt/warpmark");
}

TEST(Again, names_submission_case_and_options_as_a_shell_takes_them) {
  GradeOptions options;
  options.program = "../my warpmark/warpmark";
  options.submission = "-odd name";
  options.engine = Engine::simulator;
  Cause cause = make_cause(CauseKind::wrong_sum, "");
  cause.type = "int";
  cause.n = 33;
  cause.seed = "0x5";
  EXPECT_EQ(command_again(options, "sums", {"v07_tree", Check::correct}, cause),
            "'../my warpmark/warpmark' grade './-odd name' --only sums.v07_tree.correct --engine simulator "
            "--type int --size 33 --seed 0x5");
}

TEST(Again, for_a_student_is_typed_in_the_submissions_folder_and_elsewhere_by_the_instructor) {
  GradeOptions options;
  options.program = "/course/warpmark";
  options.submission = "./ada";
  options.assignment = "sums";
  options.rubric = "/course/secret.toml";
  options.engine = Engine::simulator;
  options.for_student = true;
  Cause cause = make_cause(CauseKind::wrong_sum, "");
  cause.type = "int";
  const std::string command = command_again(options, "sums", {"v07_tree", Check::correct}, cause);
  EXPECT_EQ(command, "warpmark grade . --only sums.v07_tree.correct --engine simulator --type int");
  EXPECT_EQ(command_of_instructor(command, "my warpmark", "submissions/ada", " --rubric rubric.toml"),
            "'my warpmark' grade submissions/ada --only sums.v07_tree.correct --engine simulator --type int "
            "--rubric rubric.toml");
  EXPECT_EQ(command_of_instructor("./warpmark grade x", "warpmark", "y", ""), "./warpmark grade x");
}

TEST(Again, of_an_own_assignment_names_the_folder_that_a_handout_carries) {
  GradeOptions options;
  options.assignment = "/course/sums";
  options.for_student = true;
  Cause cause = make_cause(CauseKind::wrong_output, "");
  cause.test = "small";
  const std::string command = command_again(options, "sums", {"p01", Check::correct}, cause);
  EXPECT_EQ(
      command,
      "warpmark grade . --only sums.p01.correct --assignment ../.warpmark/assignment/sums --case small");
  EXPECT_EQ(command_of_instructor(command, "warpmark", "ada", " --assignment /course/sums"),
            "warpmark grade ada --only sums.p01.correct --case small --assignment /course/sums");
}

TEST(Again, asks_all_sizes_of_what_an_earlier_call_left_behind) {
  Cause cause = make_cause(CauseKind::wrong_when_called_again, "");
  cause.n = 33;
  cause.seed = "0x5";
  GradeOptions options;
  options.submission = "work";
  EXPECT_EQ(command_again(options, "sums", {"v07_tree", Check::correct}, cause),
            "./warpmark grade work --only sums.v07_tree.correct --seed 0x5");
}

TEST(CheckIds, name_assignment_version_and_check) {
  EXPECT_EQ(id_of("sums", {"v07_tree", Check::clean}), "sums.v07_tree.clean");
  EXPECT_EQ(id_of("sums", upload_key()), "sums.upload_once");
  EXPECT_EQ(version_check_from("fast"), Check::fast);
  EXPECT_FALSE(version_check_from("upload_once")) << "no version has it";
}

}  // namespace
}  // namespace warpmark::judge
