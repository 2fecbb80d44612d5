// The commands, as child processes: what they say and their exit status.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const fs::path kRoot = WARPMARK_ROOT;
const std::string kStubs = kRoot / "student_template/warmup";  // every check fails, and nothing is built

class Command : public CommandTest {
 protected:
  // With the reports in this test's own folder.
  Child grade(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"grade", "--engine", "simulator", "--out", out.string()});
    return run(std::move(arguments));
  }
  // The command cannot be used: it says why, and nothing is written.
  void expect_unusable(const std::vector<std::string>& arguments, const std::string& message) const {
    const Child child = grade(arguments);
    EXPECT_EQ(child.status, 2) << child.output;
    EXPECT_THAT(child.output, HasSubstr(message));
    EXPECT_FALSE(fs::exists(out / "grade.json"));
  }
};

TEST_F(Command, help_names_the_commands_and_the_exit_statuses) {
  const Child child = run({"--help"});
  EXPECT_EQ(child.status, 0);
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("grade"), HasSubstr("stubs"), HasSubstr("test"), HasSubstr("Exit status")));
  const Child of_grade = run({"grade", "--help"});
  EXPECT_EQ(of_grade.status, 0);
  EXPECT_THAT(of_grade.output,
              AllOf(HasSubstr("--only"), HasSubstr("--engine"), HasSubstr("--seed"), HasSubstr("DIR")));
}

TEST_F(Command, version_is_one_line) {
  const Child child = run({"--version"});
  EXPECT_EQ(child.status, 0);
  EXPECT_EQ(child.output, WARPMARK_VERSION "\n");
}

TEST_F(Command, none_or_an_unknown_one_is_unusable) {
  EXPECT_EQ(run({}).status, 2);
  const Child child = run({"grdae"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("grdae"));
  const Child without_folder = run({"grade"});
  EXPECT_EQ(without_folder.status, 2);
  EXPECT_THAT(without_folder.output, HasSubstr("DIR"));
  EXPECT_EQ(run({"grade", kStubs, "--colour"}).status, 2);
}

TEST_F(Command, a_misspelt_command_or_option_names_what_was_meant) {
  const auto expect_hint = [&](const std::vector<std::string>& arguments, const char* hint) {
    const Child child = run(arguments);
    EXPECT_EQ(child.status, 2) << child.output;
    EXPECT_THAT(child.output, HasSubstr(hint));
  };
  expect_hint({"grad", kStubs}, "no command is called grad; did you mean grade?");
  expect_hint({"asignments"}, "did you mean assignments?");
  expect_hint({"grade", kStubs, "--engin", "simulator"}, "Did you mean --engine?");
  expect_hint({"simulate", "a.cu", "--devicse=2"}, "Did you mean --devices?");
  expect_hint({"grade", kStubs, "--roster", "r.csv"},
              "--roster is an option of class: warpmark class --roster");
  expect_hint({"--verion"}, "Did you mean --version?");
  expect_hint({"--hom"}, "Did you mean --home?");
  expect_hint({}, "name a command: grade, new");
  EXPECT_THAT(run({"knit"}).output, Not(HasSubstr("did you mean")));
}

TEST_F(Command, an_option_without_a_command_names_the_command_that_takes_it) {
  const Child size = run({"--size", "3"});
  EXPECT_EQ(size.status, 2);
  EXPECT_THAT(size.output, HasSubstr("--size is an option of grade, calibrate: warpmark grade --size"));
  EXPECT_THAT(run({"--rostr", "r.csv"}).output,
              AllOf(HasSubstr("Did you mean --roster?"), HasSubstr("option of class")));
  EXPECT_EQ(run({"--help"}).status, 0);
}

TEST_F(Command, stubs_are_in_step_with_the_reference) {
  const Child child = run({"stubs", "--check"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("in step"));
}

TEST_F(Command, grade_of_untouched_stubs_fails_and_writes_all_reports) {
  const Child child = grade({kStubs});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr((out / "index.html").string()));
  EXPECT_TRUE(fs::exists(out / "index.html"));
  EXPECT_TRUE(fs::exists(out / "junit.xml"));
  const auto written = grade_from_json(read_file(out / "grade.json").value_or(""));
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->exit_status, 1);
  EXPECT_EQ(written->assignment, "warmup");
  EXPECT_EQ(written->score.points, 0);
  EXPECT_GT(written->score.possible, 0);
  EXPECT_THAT(written->checks, Not(IsEmpty()));
  EXPECT_EQ(written->checks.front().causes.front().kind, CauseKind::not_implemented);
  EXPECT_THAT(child.output, HasSubstr("w01_thread_per_element"));
}

TEST_F(Command, a_version_that_is_wrong_earns_nothing_for_what_else_it_passes) {
  const fs::path wrong = folder.path() / "wrong";
  fs::copy(kRoot / "reference/warmup", wrong, fs::copy_options::recursive);
  std::string text = read_file(wrong / "w02_grid_stride.cu").value_or("");
  const std::size_t at = text.find("values[i] += p");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 14, "values[i] -= p");
  ASSERT_TRUE(write_file(wrong / "w02_grid_stride.cu", text));
  const Child child = grade({wrong});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("passed without points"));
  const auto written = grade_from_json(read_file(out / "grade.json").value_or(""));
  ASSERT_TRUE(written) << written.error().message;
  for (const CheckResult& check : written->checks) {
    if (check.version != "w02_grid_stride" || check.check == "fast") continue;
    const bool waits = check.check == "work";
    EXPECT_EQ(check.verdict, check.check == "correct" ? Verdict::failed
                             : waits                  ? Verdict::not_run
                                                      : Verdict::passed)
        << check.id;
    EXPECT_EQ(check.points, 0) << check.id;
    EXPECT_GT(check.possible, 0) << check.id;
  }
}

// As many courses collect them: the files that were to be written, and what else a student has.
TEST_F(Command, a_submission_without_a_header_that_the_assignment_gives_out_gets_its_own_copy) {
  const fs::path work = folder.path() / "work";
  fs::create_directories(work / "old");
  fs::copy_file(kRoot / "reference/reduction/v01_atomic_per_element.cu", work / "v01_atomic_per_element.cu");
  ASSERT_TRUE(write_file(work / "old/atomic_add.h", "#error not this one"));
  ASSERT_TRUE(write_file(work / "helper.h", "#pragma once\n"));
  const std::vector<std::string> command{work, "--only", "v01_atomic_per_element.builds"};
  const Child child = grade(command);
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("atomic_add.h is not in the folder: the assignment's own was taken"));
  ASSERT_TRUE(write_file(work / "atomic_add.h", "#error their own counts"));
  const Child changed = grade(command);
  EXPECT_EQ(changed.status, 1) << changed.output;
  EXPECT_THAT(changed.output, HasSubstr("their own counts"));
}

TEST_F(Command, grade_is_plain_text_when_nobody_watches) {
  EXPECT_THAT(grade({kStubs}).output, Not(HasSubstr("\033")));
}

TEST_F(Command, grade_of_one_version_tells_of_no_other) {
  const Child child = grade({kStubs, "--only", "w02_grid_stride"});
  EXPECT_EQ(child.status, 1) << child.output;
  const auto written = grade_from_json(read_file(out / "grade.json").value_or(""));
  ASSERT_TRUE(written);
  EXPECT_THAT(written->checks, Not(IsEmpty()));
  for (const CheckResult& check : written->checks) EXPECT_EQ(check.version, "w02_grid_stride");
}

TEST_F(Command, grade_writes_its_time_line) {
  const fs::path file = folder.path() / "timeline.json";
  const Child child =
      grade({root / "reference/warmup", "--only", "w01_thread_per_element.correct", "--timeline", file});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("time line"), HasSubstr(file.string())));
  const std::string written = read_file(file).value_or("");
  EXPECT_THAT(written,
              AllOf(HasSubstr("\"traceEvents\":["), HasSubstr("\"ph\":\"X\""),
                    HasSubstr("\"name\":\"w01_thread_per_element\""), HasSubstr("\"cat\":\"worker\"")));
}

TEST_F(Command, grade_takes_a_folder_relative_to_where_it_is_started) {
  fs::copy(kStubs, folder.path() / "my 'own' work", fs::copy_options::recursive);
  const Child child = grade({"my 'own' work"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(read_file(out / "grade.json").value_or(""), HasSubstr("my 'own' work"));
}

TEST_F(Command, a_failure_says_how_to_see_it_again_in_words_that_a_shell_takes) {
  fs::copy(kStubs, folder.path() / "my 'own' work", fs::copy_options::recursive);
  grade({"my 'own' work"});
  const auto written = grade_from_json(read_file(out / "grade.json").value_or(""));
  ASSERT_TRUE(written);
  const std::string& again = written->checks.front().causes.front().again;
  EXPECT_THAT(again, AllOf(HasSubstr("/warpmark grade 'my '\\''own'\\'' work'"), HasSubstr("--only"),
                           HasSubstr("--engine simulator")));
}

TEST_F(Command, grade_of_no_folder_is_unusable) {
  expect_unusable({"nowhere"}, "nowhere: there is no such folder; name the folder");
  fs::create_directory(folder.path() / "my_work");
  expect_unusable({"my_wrok/"}, "my_wrok/: there is no such folder (but my_work); name the folder");
}

TEST_F(Command, grade_of_a_file_is_unusable) {
  ASSERT_TRUE(write_file(folder.path() / "v07_tree_sequential.cu", ""));
  expect_unusable({"v07_tree_sequential.cu"}, "is not a folder");
}

TEST_F(Command, grade_of_a_folder_without_files_names_what_it_looked_for) {
  fs::create_directory(folder.path() / "empty");
  expect_unusable({"empty"}, "w01_thread_per_element.cu");
}

TEST_F(Command, grade_of_a_folder_of_submissions_names_them) {
  expect_unusable({kRoot / "student_template"}, "student_template/warmup");
}

TEST_F(Command, grade_of_an_unknown_assignment_names_those_that_are_known) {
  expect_unusable({kStubs, "--assignment", "knitting"}, "no assignment is called knitting; there are: ");
}

TEST_F(Command, only_that_selects_nothing_says_so) {
  expect_unusable({kStubs, "--only", "v99_*"}, "--only v99_* selects no check");
}

TEST_F(Command, a_seed_that_is_no_number_is_unusable) {
  for (const char* seed : {"x", "12x", "0x", "0xg", "-1", "1.5", "99999999999999999999999"}) {
    expect_unusable({kStubs, "--seed", seed}, std::string("--seed ") + seed);
  }
}

TEST_F(Command, a_seed_may_be_decimal_or_hexadecimal) {
  EXPECT_EQ(grade({kStubs, "--seed", "12"}).status, 1);
  EXPECT_EQ(grade({kStubs, "--seed", "0xfFFFffffffffffff"}).status, 1);
}

TEST_F(Command, options_with_values_that_make_no_sense_are_unusable) {
  for (const auto& [option, value] : {std::pair{"--size", "-1"},
                                      {"--size", "many"},
                                      {"--size", "18446744073709551615"},
                                      {"--jobs", "x"},
                                      {"--jobs", "-1"},
                                      {"--jobs", "0"},
                                      {"--sandbox", "cage"},
                                      {"--rubric", "nowhere.toml"}}) {
    const Child child = grade({kStubs, option, value});
    EXPECT_EQ(child.status, 2) << option;
    EXPECT_THAT(child.output, HasSubstr(option));
  }
  expect_unusable({kStubs, "--type", "double"}, "--type double: the rubric grades int, float");
}

// More memory than there is: said, and no crash.
TEST_F(Command, a_size_beyond_all_memory_ends_with_a_message) {
  const Child child = grade({kRoot / "reference/warmup", "--only", "*.correct", "--size", "68719476736"});
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output, HasSubstr("memory"));
}

TEST_F(Command, an_unknown_engine_is_unusable) {
  const Child child = run({"grade", kStubs, "--engine", "steam"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("gpu"), HasSubstr("simulator")));
}

TEST_F(Command, asking_for_a_gpu_that_is_not_there_is_unusable) {
  if (fs::exists("/dev/nvidiactl")) GTEST_SKIP() << "this machine has one";
  const Child child = run({"grade", kStubs, "--engine", "gpu", "--out", out.string()});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("--engine gpu"), HasSubstr("simulator")));
  EXPECT_FALSE(fs::exists(out / "grade.json"));
}

TEST_F(Command, reports_that_cannot_be_written_say_what_to_do) {
  ASSERT_TRUE(write_file(folder.path() / "file", ""));
  const Child child =
      run({"grade", kStubs, "--engine", "simulator", "--out", (folder.path() / "file/out").string()});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("file/out"), HasSubstr("--out DIR")));
}

// What was graded and could not be kept is no grade, and no half of one is left.
TEST_F(Command, a_result_that_cannot_be_written_is_broken) {
  fs::create_directories(out / "grade.json" / "in the way");
  const Child child = grade({kStubs});
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("cannot write"), HasSubstr("grade.json"), HasSubstr("grade again")));
  for (const auto& entry : fs::directory_iterator(out))
    EXPECT_THAT(entry.path().filename().string(), testing::Not(testing::StartsWith(".warpmark")));
}

TEST_F(Command, a_broken_rubric_is_told_with_file_line_and_rule) {
  ASSERT_TRUE(write_file(folder.path() / "own.toml", "title = \"t\"\ncontract = 7\n"));
  expect_unusable({kStubs, "--rubric", "own.toml"}, "own.toml:2: contract must be a non-empty text");
}

TEST_F(Command, a_rubric_with_a_type_that_the_assignment_lacks_is_unusable) {
  std::string text = read_file(kRoot / "harness/assignments/warmup/assignment.toml").value_or("");
  const std::size_t at = text.find("\"float\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 7, "\"quaternion\"");
  ASSERT_TRUE(write_file(folder.path() / "own.toml", text));
  expect_unusable({kStubs, "--rubric", "own.toml"}, "own.toml:6: types: \"quaternion\" is no known type");
}

}  // namespace
}  // namespace warpmark
