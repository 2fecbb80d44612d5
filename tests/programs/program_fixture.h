// A copy of the assignment vector_add, whose submissions are programs, and a student's folder.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {

class ProgramTest : public CommandTest {
 protected:
  void SetUp() override {
    std::filesystem::copy(WARPMARK_VECTOR_ADD, home, std::filesystem::copy_options::recursive);
    std::filesystem::create_directories(student);
  }

  static std::string text_of(const std::filesystem::path& file) {
    auto text = read_file(file);
    EXPECT_TRUE(text) << text.error().message;
    return text.value_or("");
  }
  static void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(file, text));
  }
  // Replaces text in a file that must hold it.
  static void change(const std::filesystem::path& file, std::string_view what, std::string_view by) {
    std::string text = text_of(file);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << file << " does not hold " << what;
    write(file, text.replace(at, what.size(), by));
  }
  static int line_with(const std::string& text, std::string_view what) {
    const std::string_view before = std::string_view(text).substr(0, text.find(what));
    return static_cast<int>(std::ranges::count(before, '\n')) + 1;
  }
  // The reference with one change.
  [[nodiscard]] std::string solution_with(std::string_view what, std::string_view by) const {
    std::string text = text_of(home / "reference/p01_vector_add.cu");
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << "the reference does not hold " << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
  }

  Child grade(const std::filesystem::path& submission, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"grade", submission.string(), "--assignment", home.string(),
                                       "--out", out.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
  Grade graded(const std::filesystem::path& submission, const std::vector<std::string>& more = {}) const {
    const Child child = grade(submission, more);
    const auto text = read_file(out / "grade.json");
    if (!text) throw std::runtime_error(child.output);
    auto read = grade_from_json(*text);
    if (!read) throw std::runtime_error(read.error().message);
    EXPECT_EQ(read->exit_status, child.status) << child.output;
    return std::move(*read);
  }
  // What one check alone asks, which saves the runs of the others.
  static std::vector<std::string> only(const std::string& check) { return {"--only", "*." + check}; }
  // Grades a student's program.
  Grade graded_with(const std::string& program, const std::vector<std::string>& more = {}) const {
    write(student / "p01_vector_add.cu", program);
    return graded(student, more);
  }
  static const CheckResult& check_of(const Grade& grade, const std::string& check) {
    const auto found = std::ranges::find(grade.checks, check, &CheckResult::check);
    if (found == grade.checks.end()) throw std::runtime_error("the grade has no check " + check);
    return *found;
  }
  // Returns the deciding cause of a check that must have failed.
  static const Cause& cause_of(const Grade& grade, const std::string& check) {
    const CheckResult& result = check_of(grade, check);
    EXPECT_EQ(result.verdict, Verdict::failed)
        << check << ": " << (result.causes.empty() ? "no cause" : result.causes.front().message);
    if (result.causes.empty()) throw std::runtime_error(check + " has passed");
    return result.causes.front();
  }

  const std::filesystem::path home = folder.path() / "vector_add";
  const std::filesystem::path student = folder.path() / "ada";
};

}  // namespace warpmark
