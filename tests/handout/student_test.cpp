// A student's way: a fresh folder, two commands, a change, the same again.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/text.h"
#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Student : public CommandTest {
 protected:
  // In the folder `mine`, with everything on PATH that the tests have.
  Child call(std::vector<std::string> arguments) const {
    const char* path = std::getenv("PATH");
    return run_child(arguments, {{"PATH", path != nullptr ? path : "/usr/bin:/bin"}}, mine);
  }
  Child grade_by_ctest(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{WARPMARK_CTEST, "--preset", "student"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return call(arguments);
  }
  // As on a machine with a home and nothing else.
  Child configure(std::map<std::string, std::string> environment = {},
                  const std::vector<std::string>& more = {}) const {
    environment.insert({{"PATH", "/usr/bin:/bin"}, {"HOME", folder.path().string()}});
    std::vector<std::string> arguments{WARPMARK_CMAKE, "--preset", "student"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_child(arguments, environment, mine);
  }
  void write_solution(const std::string& version, const fs::path& to) const {
    fs::copy_file(root / "reference/warmup" / (version + ".cu"), to / (version + ".cu"),
                  fs::copy_options::overwrite_existing);
  }
  Child changed(const fs::path& submission) const {
    return run({"grade", submission.string(), "--engine", "simulator", "--changed", "--out", out.string()});
  }
  static Grade grade_at(const fs::path& reports) {
    auto read = grade_from_json(read_file(reports / "grade.json").value_or(""));
    EXPECT_TRUE(read) << read.error().message;
    return read ? std::move(*read) : Grade{};
  }
  [[nodiscard]] Grade grade() const { return grade_at(out); }

  const fs::path mine = folder.path() / "my work";
};

TEST_F(Student, new_folder_is_graded_by_ctest_one_line_a_check) {
  ASSERT_EQ(run({"new", mine.string(), "--assignment", "warmup"}).status, 0);
  const std::string program = std::string("-DWARPMARK_PROGRAM=") + WARPMARK_CLI;
  ASSERT_EQ(call({WARPMARK_CMAKE, "--preset", "student", program}).status, 0);
  const Child untouched = grade_by_ctest();
  EXPECT_EQ(untouched.status, 0) << untouched.output;
  EXPECT_THAT(untouched.output, AllOf(ContainsRegex("warmup.w01_thread_per_element.builds [.]+[*]+Skipped"),
                                      Not(HasSubstr("Failed"))));

  write_solution("w01_thread_per_element", mine);
  std::string wrong = read_file(root / "reference/warmup/w02_grid_stride.cu").value_or("");
  wrong.insert(wrong.find("__global__"), "int forgotten = undeclared;\n");
  ASSERT_TRUE(write_file(mine / "w02_grid_stride.cu", wrong));
  const Child child = grade_by_ctest();
  EXPECT_EQ(child.status, 8) << child.output;
  EXPECT_THAT(child.output, ContainsRegex("warmup.w01_thread_per_element.correct [.]+ +Passed"));
  EXPECT_THAT(child.output, ContainsRegex("warmup.w02_grid_stride.builds [.]+[*]+Failed"));
  EXPECT_THAT(child.output, ContainsRegex("w02_grid_stride.cu:[0-9]+"));
  EXPECT_THAT(child.output, HasSubstr("undeclared"));
  EXPECT_TRUE(fs::exists(mine / ".warpmark-out/student/index.html"));

  // A change costs the version that was changed.
  std::string text = read_file(mine / "w01_thread_per_element.cu").value_or("");
  ASSERT_TRUE(write_file(mine / "w01_thread_per_element.cu", text + "// a line\n"));
  EXPECT_THAT(grade_by_ctest({"-V", "-R", "w01"}).output, HasSubstr("kept: 1 version"));
}

TEST_F(Student, handout_is_graded_by_ctest_with_the_program_that_is_named) {
  ASSERT_EQ(run({"handout", mine.string(), "--assignment", "warmup"}).status, 0);
  write_solution("w02_grid_stride", mine / "warmup");
  const std::string program = std::string("-DWARPMARK_PROGRAM=") + WARPMARK_CLI;
  ASSERT_EQ(call({WARPMARK_CMAKE, "--preset", "student", program}).status, 0);
  const Child child = grade_by_ctest({"-R", "w02"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(ContainsRegex("warmup.w02_grid_stride.clean [.]+ +Passed"),
                                  Not(HasSubstr("w01_thread_per_element"))));
  EXPECT_EQ(grade_at(mine / "warpmark-out/student").submission_name, "warmup");
}

TEST_F(Student, handout_finds_a_program_on_path_and_its_headers) {
  const fs::path bin = folder.path() / "bin";
  fs::create_directories(bin);
  fs::create_symlink(WARPMARK_CLI, bin / "warpmark");
  ASSERT_EQ(run({"handout", mine.string(), "--assignment", "warmup"}).status, 0);
  const Child child = configure({{"PATH", bin.string() + ":/usr/bin:/bin"}});
  ASSERT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("graded by " + (bin / "warpmark").string()));
  const std::string headers =
      (fs::path(WARPMARK_CLI).parent_path().parent_path() / "lib/simulator-headers").string();
  EXPECT_THAT(read_file(mine / "compile_flags.txt").value_or(""), HasSubstr("-I" + headers + "\n"));
  EXPECT_THAT(read_file(mine / ".gitignore").value_or(""), HasSubstr("/compile_flags.txt\n"));
}

// The script `warpmark` of a clone, which is told not to install anything and knows the program that it
// builds.
TEST_F(Student, handout_is_graded_by_the_wrapper_of_a_clone) {
  const fs::path clone = folder.path() / "clone";
  fs::create_directories(clone / "harness/assignments");
  fs::create_directories(clone / "build/bin");
  fs::create_symlink(WARPMARK_CLI, clone / "build/bin/warpmark-cli");
  ASSERT_TRUE(write_file(clone / "warpmark", "#!/bin/sh\necho \"$@\" >>'" + folder.path().string() +
                                                 "/calls'\nshift\nexec '" WARPMARK_CLI "' \"$@\"\n"));
  fs::permissions(clone / "warpmark", fs::perms(0755));
  ASSERT_EQ(run({"handout", mine.string(), "--assignment", "warmup"}).status, 0);
  const Child child = configure({}, {"-DWARPMARK_PROGRAM=" + (clone / "warpmark").string()});
  ASSERT_EQ(child.status, 0) << child.output;
  EXPECT_EQ(read_file(folder.path() / "calls").value_or(""), "--no-install --home\n");
  const Child listed = call({WARPMARK_CTEST, "--preset", "student", "-N", "-V", "-R", "^grade"});
  EXPECT_THAT(listed.output, AllOf(HasSubstr("\"--no-install\" \"--version\""),
                                   HasSubstr((clone / "build/bin/warpmark-cli").string() + " \"grade\"")));
}

TEST_F(Student, handout_says_in_two_lines_how_to_get_what_grades) {
  for (const char* place : {"/usr/bin/warpmark", "/usr/local/bin/warpmark", "/opt/warpmark/bin/warpmark"}) {
    if (fs::exists(place)) GTEST_SKIP() << "not run: this machine has " << place;
  }
  ASSERT_EQ(run({"handout", mine.string(), "--assignment", "warmup", "--package",
                 "https://example.edu/warpmark_1.2.3_amd64.deb"})
                .status,
            0);
  const Child none = configure();
  EXPECT_NE(none.status, 0);
  EXPECT_THAT(
      none.output,
      ContainsRegex("is not on this machine. [^\n]*curl [^\n]*https://example.edu/warpmark_1.2.3_amd64.deb "
                    "&& sudo apt-get install ./warpmark_1.2.3_amd64.deb\n[^\n]*-DWARPMARK_PROGRAM="));
  const Child wrong = configure({}, {"-DWARPMARK_PROGRAM=/none/warpmark"});
  EXPECT_NE(wrong.status, 0);
  EXPECT_THAT(wrong.output, HasSubstr("/none/warpmark"));
  const Child other = configure({}, {"-DWARPMARK_PROGRAM=/bin/false"});
  EXPECT_NE(other.status, 0);
  EXPECT_THAT(other.output, HasSubstr("/bin/false cannot grade here"));
  EXPECT_FALSE(fs::exists(mine / "compile_flags.txt"));
}

TEST_F(Student, ctest_says_why_nothing_can_be_graded) {
  ASSERT_EQ(run({"new", mine.string(), "--assignment", "warmup"}).status, 0);
  const std::string program = std::string("-DWARPMARK_PROGRAM=") + WARPMARK_CLI;
  ASSERT_EQ(call({WARPMARK_CMAKE, "--preset", "student", program}).status, 0);
  fs::create_directories(mine / ".warpmark-out/student/grade.json");  // nothing can be written there
  const Child child = grade_by_ctest();
  EXPECT_EQ(child.status, 8);
  EXPECT_THAT(child.output, AllOf(ContainsRegex("grade [.]+[*]+Failed"), HasSubstr("grade.json")));
}

TEST_F(Student, new_and_handout_name_the_assignments_and_keep_what_is_there) {
  const Child unknown = run({"new", mine.string(), "--assignment", "warmpu"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("there are: extremes"));
  EXPECT_FALSE(fs::exists(mine));
  for (const char* command : {"new", "handout"}) {
    const fs::path usual = folder.path() / command;
    const Child child = run({command, usual.string()});
    EXPECT_EQ(child.status, 0);
    EXPECT_THAT(child.output, AllOf(HasSubstr("using reduction;"), HasSubstr("segmented, sort, warmup")));
    EXPECT_THAT(read_file(usual / "CMakeLists.txt").value_or(""), HasSubstr("project(reduction "));
  }
  ASSERT_EQ(run({"new", mine.string(), "--assignment", "warmup"}).status, 0);
  const Child again = run({"new", mine.string(), "--assignment", "warmup"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.output, HasSubstr("not empty"));
}

TEST_F(Student, editor_understands_the_template_without_a_toolkit) {
  if (std::system("command -v clangd >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "not run: apt-get install clangd";
  ASSERT_EQ(run({"new", mine.string(), "--assignment", "warmup"}).status, 0);
  write_solution("w01_thread_per_element", mine);
  ASSERT_EQ(configure({}, {std::string("-DWARPMARK_PROGRAM=") + WARPMARK_CLI}).status, 0);
  const Child child = call({"/usr/bin/env", "clangd", "--check=w01_thread_per_element.cu"});
  EXPECT_THAT(child.output, HasSubstr("All checks completed, 0 errors"));
}

TEST_F(Student, changed_asks_only_what_has_changed_and_says_the_same) {
  fs::copy(root / "student_template/warmup", mine, fs::copy_options::recursive);
  write_solution("w01_thread_per_element", mine);
  write_solution("w02_grid_stride", mine);
  const Child first = changed(mine);
  EXPECT_EQ(first.status, 0) << first.output;
  EXPECT_THAT(first.output,
              AllOf(HasSubstr("w01_thread_per_element.correct: passed"), Not(HasSubstr("kept:"))));
  const Grade before = grade();

  std::string text = read_file(mine / "w02_grid_stride.cu").value_or("");
  ASSERT_TRUE(write_file(mine / "w02_grid_stride.cu", text + "// a line\n"));
  const Child second = changed(mine);
  EXPECT_THAT(second.output, AllOf(HasSubstr("kept: 1 version"), HasSubstr("w02_grid_stride.correct: passed"),
                                   Not(HasSubstr("w01_thread_per_element.correct: passed"))));
  const Grade after = grade();
  ASSERT_EQ(after.checks.size(), before.checks.size());
  for (std::size_t i = 0; i < after.checks.size(); ++i) {
    EXPECT_EQ(after.checks[i].id, before.checks[i].id);
    EXPECT_EQ(after.checks[i].verdict, before.checks[i].verdict);
    EXPECT_EQ(after.checks[i].points, before.checks[i].points);
    EXPECT_EQ(after.checks[i].engine, before.checks[i].engine);
    EXPECT_EQ(after.checks[i].notes.size(), before.checks[i].notes.size());
  }
  EXPECT_EQ(after.counters.size(), before.counters.size());
  EXPECT_EQ(after.score.points, before.score.points);
}

TEST_F(Student, changed_asks_again_after_a_header_or_the_rubric) {
  fs::copy(root / "student_template/warmup", mine, fs::copy_options::recursive);
  write_solution("w01_thread_per_element", mine);
  EXPECT_THAT(changed(mine).output, Not(HasSubstr("kept:")));
  EXPECT_THAT(changed(mine).output, HasSubstr("kept: 2 versions"));
  ASSERT_TRUE(write_file(mine / "helper.h", "// of any version\n"));
  EXPECT_THAT(changed(mine).output, Not(HasSubstr("kept:")));
  ASSERT_TRUE(write_file(
      folder.path() / "rubric.toml",
      read_file(root / "harness/assignments/warmup/assignment.toml").value_or("") + "# another\n"));
  const Child other = run({"grade", mine.string(), "--engine", "simulator", "--changed", "--out",
                           out.string(), "--rubric", (folder.path() / "rubric.toml").string()});
  EXPECT_THAT(other.output, Not(HasSubstr("kept:")));
}

TEST_F(Student, changed_needs_the_folder_of_a_whole_grade) {
  const std::string stubs = (root / "student_template/warmup").string();
  EXPECT_EQ(run({"grade", stubs, "--changed"}).status, 2);
  const Child part = run({"grade", stubs, "--changed", "--out", out.string(), "--only", "w01*"});
  EXPECT_EQ(part.status, 2);
  EXPECT_THAT(part.output, HasSubstr("--only"));
}

TEST_F(Student, report_tells_one_check_by_its_exit_status) {
  fs::copy(root / "student_template/warmup", mine, fs::copy_options::recursive);
  write_solution("w01_thread_per_element", mine);
  ASSERT_NE(changed(mine).status, 2);
  const std::string file = (out / "grade.json").string();
  const Child passed = run({"report", file, "--check", "warmup.w01_thread_per_element.correct"});
  EXPECT_EQ(passed.status, 0);
  EXPECT_THAT(passed.output, HasSubstr("warmup.w01_thread_per_element.correct: passed"));
  EXPECT_EQ(run({"report", file, "--check", "warmup.w02_grid_stride.builds"}).status, 77);
  const Child unknown = run({"report", file, "--check", "warmup.w03.builds"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("has no check"));
}

}  // namespace
}  // namespace warpmark
