// An instructor's own assignment with a judge.cpp, outside of the tool, graded on the simulator as a user
// does.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A copy of the assignment `twice`, in which a test may break something.
class JudgeCpp : public CommandTest {
 protected:
  void SetUp() override { fs::copy(WARPMARK_TWICE, home, fs::copy_options::recursive); }

  // Replaces text in a file that must hold it.
  static void change(const fs::path& file, std::string_view what, std::string_view by) {
    std::string text = read_file(file).value();
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << file << " does not hold " << what;
    ASSERT_TRUE(write_file(file, text.replace(at, what.size(), by)));
  }
  static std::string place_of(const fs::path& file, std::string_view what) {
    const std::string text = read_file(file).value();
    const std::string_view before = std::string_view(text).substr(0, text.find(what));
    return fmt::format("{}:{}: ", file.string(), std::ranges::count(before, '\n') + 1);
  }

  Child grade(const fs::path& submission) const {
    return run({"grade", submission.string(), "--assignment", home.string(), "--engine", "simulator", "--out",
                out.string()});
  }
  void ask_for(int size) const {
    change(home / "assignment.toml", "[0, 1, 33, 1000]", fmt::format("[{}]", size));
  }
  Grade grade_written() const { return grade_from_json(read_file(out / "grade.json").value()).value(); }

  // Grades the reference, although the assignment is at fault: nothing is decided, and the message begins at
  // a place.
  void expect_fault(const std::string& place, const testing::Matcher<std::string>& why) const {
    const Child child = grade(home / "reference");
    EXPECT_EQ(child.status, 2) << "nobody failed: nothing was graded\n" << child.output;
    EXPECT_THAT(child.output, AllOf(HasSubstr(place), why));
    EXPECT_THAT(child.output, Not(HasSubstr("points"))) << "a grade was printed";
    EXPECT_FALSE(fs::exists(out / "grade.json"));
  }

  const fs::path home = folder.path() / "twice";
  const fs::path judge = home / "judge.cpp";
};

using JudgeCppLong = JudgeCpp;

TEST_F(JudgeCpp, decides_in_its_own_words_with_the_files_that_it_names_alone) {
  ASSERT_TRUE(write_file(home / "notes.cpp", "#error nobody compiles this\n"));
  const Child right = grade(home / "reference");
  EXPECT_EQ(right.status, 0) << right.output;
  EXPECT_EQ(grade_written().score.points, 100);

  const fs::path student = folder.path() / "ada";
  fs::copy(home / "reference", student);
  change(student / "t01_each.cu", "out[i] = 2 * in[i]", "out[i] = 3 * in[i]");
  const Child wrong = grade(student);
  EXPECT_EQ(wrong.status, 1) << wrong.output;
  EXPECT_THAT(wrong.output, HasSubstr("is not twice"));

  change(home / "answers.cpp", "2 * value", "5 * value");
  EXPECT_EQ(grade(home / "reference").status, 1) << "the old answers still count";
}

TEST_F(JudgeCpp, that_names_no_file_of_its_folder_is_at_fault) {
  for (const auto& [name, why] :
       {std::pair<std::string, std::string>{"answer.cpp", "answer.cpp: judge_sources names it"},
        {"../answers.cpp", "assignment.toml:5: judge_sources names \"../answers.cpp\""},
        {"answers.h", "assignment.toml:5: judge_sources names \"answers.h\""}}) {
    fs::copy(fs::path(WARPMARK_TWICE) / "assignment.toml", home / "assignment.toml",
             fs::copy_options::overwrite_existing);
    change(home / "assignment.toml", "\"answers.cpp\"", "\"" + name + "\"");
    expect_fault(why, HasSubstr("judge_sources"));
  }
}

// The largest of the tool's own: with headers and sources that packages carry.
TEST_F(JudgeCppLong, of_knn_grades_from_a_copy_of_its_folder) {
  const fs::path knn = folder.path() / "nearest";
  fs::copy(root / "harness/assignments/knn", knn, fs::copy_options::recursive);
  const Child child = run({"grade", (root / "reference/knn").string(), "--assignment", knn.string(),
                           "--engine", "simulator", "--only", "*k04*.correct", "--out", out.string()});
  EXPECT_EQ(child.status, 0) << child.output;
  const Child files =
      run({"grade", (root / "reference/knn").string(), "--assignment", knn.string(), "--engine", "simulator",
           "--only", "*k04*.correct", "--out", out.string(), "--data",
           (knn / "data/iris-train.arff").string(), (knn / "data/iris-test.arff").string()});
  EXPECT_EQ(files.status, 0) << files.output;
}

TEST_F(JudgeCpp, that_does_not_compile_is_at_fault_with_the_line) {
  change(judge, "misbehave(values_.size())", "no_such_function()");
  expect_fault(place_of(judge, "no_such_function"), HasSubstr("no_such_function"));
}

TEST_F(JudgeCpp, of_which_another_file_does_not_compile_is_at_fault_with_its_line) {
  change(home / "answers.cpp", "return 2", "return no_such_name");
  expect_fault(place_of(home / "answers.cpp", "no_such_name"), HasSubstr("no_such_name"));
}

TEST_F(JudgeCpp, that_defines_no_assignment_is_at_fault) {
  change(judge, "WARPMARK_ASSIGNMENT(Twice)", "");
  expect_fault(judge.string(), HasSubstr("warpmark_make_assignment"));
}

// The course's code misbehaves at one size each.
TEST_F(JudgeCpp, that_crashes_is_at_fault_with_the_line) {
  ask_for(2001);
  expect_fault(place_of(judge, "nullptr) = 1"),
               AllOf(HasSubstr("`fill` of the assignment twice failed"), HasSubstr("segmentation fault")));
}

TEST_F(JudgeCpp, that_recurses_without_end_is_at_fault) {
  ask_for(2002);
  expect_fault(home.string(), HasSubstr("this is a fault of the assignment, not of a submission"));
}

TEST_F(JudgeCpp, that_crashes_in_a_thread_of_its_own_is_at_fault) {
  ask_for(2003);
  expect_fault(place_of(judge, "nullptr) = 2"), HasSubstr("segmentation fault"));
}

TEST_F(JudgeCpp, that_loops_is_at_fault_with_the_line) {
  ask_for(2004);
  expect_fault(place_of(judge, "for (volatile"), HasSubstr("it did not return within 6 s"));
}

TEST_F(JudgeCpp, that_throws_is_at_fault) {
  ask_for(2005);
  expect_fault(judge.string(),
               HasSubstr("`fill` of the assignment twice threw an exception: no more numbers"));
}

TEST_F(JudgeCpp, is_missing_where_no_call_is_described) {
  fs::remove(judge);
  expect_fault((home / "assignment.toml").string(), HasSubstr("there is no judge.cpp"));
}

}  // namespace
}  // namespace warpmark
