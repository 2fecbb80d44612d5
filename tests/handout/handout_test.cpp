// What students get: everything that grades, and nothing that gives a solution away.
#include "harness/handout/handout.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "tests/handout/solutions.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using handout::Files;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

const fs::path kRoot = WARPMARK_ROOT;

judge::Installation installation() {
  return {kRoot, fs::path(WARPMARK_CLI).parent_path(), kRoot};
}

handout::Source source_of(const judge::Installation& at, const std::string& assignment) {
  auto source = handout::open_source(at, assignment, {}, "1.2.3");
  if (!source) throw std::runtime_error(source.error().message);
  return std::move(*source);
}

std::vector<std::string> names_of(const Files& files) {
  std::vector<std::string> names;
  for (const auto& [name, file] : files) names.push_back(name);
  return names;
}

// Files that hold a part of a solution, with that part.
std::vector<std::string> leaks_in(const Files& files, const std::set<std::string>& solutions) {
  std::vector<std::string> leaks;
  for (const auto& [name, file] : files) {
    const auto windows = windows_of(file.text);
    const auto leak =
        std::ranges::find_if(windows, [&](const std::string& each) { return solutions.contains(each); });
    if (leak != windows.end()) leaks.push_back(name + ": " + *leak);
  }
  return leaks;
}

class EveryHandout : public testing::TestWithParam<std::string> {
 protected:
  const judge::Installation at = installation();
  const handout::Source source = source_of(at, GetParam());
};

TEST_P(EveryHandout, holds_no_solution) {
  const auto solutions = solution_windows(kRoot, GetParam());
  ASSERT_FALSE(solutions.empty());
  const auto students = handout::handout_files(source);
  ASSERT_TRUE(students) << students.error().message;
  EXPECT_THAT(leaks_in(*students, solutions), IsEmpty());
  const auto gradescope = handout::gradescope_files(source);
  ASSERT_TRUE(gradescope) << gradescope.error().message;
  EXPECT_THAT(leaks_in(*gradescope, solutions), IsEmpty());
  const auto submission = handout::submission_files(source, {"warpmark", "warpmark", "warpmark"});
  ASSERT_TRUE(submission) << submission.error().message;
  EXPECT_THAT(leaks_in(*submission, solutions), IsEmpty());
}

TEST_P(EveryHandout, holds_nothing_of_other_assignments_and_no_tests) {
  const auto files = handout::handout_files(source);
  ASSERT_TRUE(files) << files.error().message;
  for (const std::string& name : names_of(*files)) {
    EXPECT_THAT(name, Not(HasSubstr("tests/"))) << name;
    EXPECT_THAT(name, Not(StartsWith(".warpmark/reports/ladder/")));
    EXPECT_THAT(name, Not(StartsWith(".warpmark/reports/samples/")));
    for (const AssignmentEntry& other : assignments()) {
      if (other.name == GetParam()) continue;
      EXPECT_THAT(name, Not(HasSubstr("/" + std::string(other.name) + "/")));
    }
  }
}

TEST_P(EveryHandout, asks_every_check_that_students_can_earn) {
  const auto files = handout::handout_files(source);
  ASSERT_TRUE(files) << files.error().message;
  const std::string& cmake = files->at("CMakeLists.txt").text;
  for (const judge::VersionRule& version : source.rubric.versions) {
    EXPECT_EQ(cmake.find(" " + version.name + ".builds\n") == std::string::npos, version.reference_only)
        << version.name;
    if (!version.reference_only) {
      EXPECT_TRUE(files->contains(GetParam() + "/" + version.file())) << version.name;
    }
  }
  for (const auto& [name, file] : *files) {
    if (name.starts_with(".warpmark/")) continue;
    for (const char* left : {"@ASSIGNMENT@", "@SUBMISSION@", "@CHECKS@", "@SOURCES@", "@TOOL@", "@PACKAGES@",
                             "@BUILD@", "@OUTPUTS@"})
      EXPECT_THAT(file.text, Not(HasSubstr(left))) << name;
  }
}

std::vector<std::string> all_assignments() {
  std::vector<std::string> names;
  for (const AssignmentEntry& entry : assignments()) names.emplace_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Assignments, EveryHandout, testing::ValuesIn(all_assignments()),
                         [](const auto& one) { return one.param; });

class Handout : public testing::Test {
 protected:
  const judge::Installation at = installation();
  const handout::Source source = source_of(at, "reduction");
  const TemporaryFolder folder;
};

TEST_F(Handout, search_finds_a_solution_under_another_name_and_layout) {
  const auto solutions = solution_windows(kRoot, "reduction");
  std::string text = read_file(kRoot / "reference/reduction/v07_tree_sequential.cu").value_or("");
  std::erase(text, '\n');
  EXPECT_THAT(leaks_in({{"notes.txt", {text}}}, solutions),
              IsEmpty());  // its first comment swallows the rest
  text = read_file(kRoot / "reference/reduction/v07_tree_sequential.cu").value_or("");
  std::string spaced;
  for (const char c : text) spaced += c == ' ' ? std::string("  ") : std::string(1, c);
  EXPECT_THAT(leaks_in({{"harness/helper.h", {spaced}}}, solutions), testing::SizeIs(1));
}

TEST_F(Handout, has_what_students_editors_and_ci_servers_use) {
  const auto files = handout::handout_files(source);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(names_of(*files),
              IsSupersetOf({"README.md", "CMakeLists.txt", "CMakePresets.json", "warpmark",
                            "compile_flags.txt", ".vscode/settings.json", ".devcontainer/devcontainer.json",
                            "Containerfile", ".github/workflows/grade.yml", ".gitlab-ci.yml",
                            "reduction/reduction.h", "reduction/upload.cu", ".warpmark/warpmark",
                            ".warpmark/harness/assignments/reduction/rubric.toml"}));
  EXPECT_TRUE(files->at("warpmark").executable);
  EXPECT_TRUE(files->at(".warpmark/warpmark").executable);
}

TEST_F(Handout, gives_the_naive_kernel_and_nothing_else_of_the_reference) {
  const auto files = handout::tool_files(source, handout::Audience::instructors);
  ASSERT_TRUE(files) << files.error().message;
  std::vector<std::string> given;
  for (const std::string& name : names_of(*files)) {
    if (name.starts_with("reference/")) given.push_back(name);
  }
  EXPECT_THAT(given, testing::UnorderedElementsAre("reference/reduction/atomic_add.h",
                                                   "reference/reduction/v01_atomic_per_element.cu"));
}

TEST_F(Handout, installs_what_grading_needs_and_not_what_tests_need) {
  const auto files = handout::handout_files(source);
  ASSERT_TRUE(files) << files.error().message;
  for (const char* name : {".warpmark/warpmark", "Containerfile"}) {
    EXPECT_THAT(files->at(name).text,
                testing::AllOf(HasSubstr(" clang "), HasSubstr("bubblewrap"), HasSubstr("libthrust-dev"),
                               Not(HasSubstr("libgtest-dev")), Not(HasSubstr("clang-format"))))
        << name;
  }
}

TEST_F(Handout, leaves_out_what_instructors_alone_use) {
  const auto files = handout::handout_files(source);
  ASSERT_TRUE(files) << files.error().message;
  for (const std::string& name : names_of(*files)) {
    for (const char* theirs : {".warpmark/harness/class/", ".warpmark/harness/handout/", "/class_command.cpp",
                               "/calibrate_command.cpp"})
      EXPECT_THAT(name, Not(HasSubstr(theirs)));
  }
  EXPECT_TRUE(files->contains(".warpmark/harness/cli/grade_command.cpp"));
  EXPECT_TRUE(files->contains(".warpmark/harness/cli/ladder_command.cpp"))
      << "students hand in an evaluation";
  EXPECT_THAT(files->at(".warpmark/warpmark").text, Not(HasSubstr("libsqlitecpp-dev")));
  EXPECT_THAT(files->at(".warpmark/CMakePresets.json").text, HasSubstr("-O1"));
  // Gradescope's zip exports grades.
  const auto gradescope = handout::gradescope_files(source);
  ASSERT_TRUE(gradescope) << gradescope.error().message;
  EXPECT_TRUE(gradescope->contains("warpmark/harness/class/exports/platforms.h"));
  EXPECT_THAT(gradescope->at("setup.sh").text, HasSubstr("libsqlitecpp-dev"));
}

TEST_F(Handout, takes_another_rubric_along) {
  const fs::path rubric = kRoot / "harness/assignments/reduction/rubrics/atomics.toml";
  const auto other = handout::open_source(at, "reduction", rubric, "1.2.3");
  ASSERT_TRUE(other) << other.error().message;
  const auto files = handout::handout_files(*other);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->at(".warpmark/harness/assignments/reduction/rubric.toml").text,
            read_file(rubric).value_or(""));
  EXPECT_THAT(files->at("CMakeLists.txt").text, Not(HasSubstr("v07_tree_sequential")));
}

TEST_F(Handout, overwrites_nothing) {
  const fs::path mine = folder.path() / "mine";
  fs::create_directories(mine);
  ASSERT_TRUE(write_file(mine / "v02.cu", "my work"));
  const auto written = handout::write_folder({{"README.md", {"text"}}}, mine);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("is not empty"));
  EXPECT_FALSE(fs::exists(mine / "README.md"));
}

TEST_F(Handout, zips_equal_files_to_equal_bytes) {
  const Files files{{"setup.sh", {"#!/bin/sh\n", true}}, {"warpmark/a.cpp", {"int a;\n"}}};
  ASSERT_TRUE(handout::write_zip(files, folder.path() / "a.zip"));
  ASSERT_TRUE(handout::write_zip(files, folder.path() / "b.zip"));
  const std::string bytes = read_file(folder.path() / "a.zip").value_or("");
  EXPECT_THAT(bytes, StartsWith("PK"));
  EXPECT_EQ(bytes, read_file(folder.path() / "b.zip").value_or(""));
  EXPECT_FALSE(handout::write_zip(files, folder.path() / "none/c.zip"));
}

}  // namespace
}  // namespace warpmark
