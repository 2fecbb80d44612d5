#include "harness/assignments/home.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// An installation with two assignments, and folders of an instructor beside it.
class Homes : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv(kSearchPath);
    write("tool/harness/assignments/default", "sums\n");
    write("tool/harness/assignments/sums/assignment.toml");
    write("tool/harness/assignments/grids/assignment.toml");
    write("tool/harness/assignments/plain/expression.cpp");
    write("mine/histogram/assignment.toml");
    write("mine/histogram/reference/h01.cu", "int reference;\n");
    write("mine/sums/assignment.toml");
    write("mine/results/rubric.toml");  // a graded class keeps its rubric so: it is no assignment
    write("mine/notes/README.md");
    write("theirs/sums/assignment.toml");
    write("theirs/scan/assignment.toml");
  }
  void TearDown() override { ::unsetenv(kSearchPath); }

  void write(const fs::path& file, const std::string& text = "\n") const {
    fs::create_directories((folder.path() / file).parent_path());
    ASSERT_TRUE(write_file(folder.path() / file, text));
  }
  void search(const std::string& folders) const { ::setenv(kSearchPath, folders.c_str(), 1); }
  // Finds the folder of an assignment, or the message why there is none.
  std::string found(const std::string& name) const {
    const auto home = find_assignment(root, name);
    return home ? home->folder.lexically_relative(folder.path()).string() : "none: " + home.error().message;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    const auto homes = all_assignments(root);
    if (!homes) return {homes.error().message};
    for (const AssignmentHome& home : *homes) all.push_back(home.name);
    return all;
  }

  const TemporaryFolder folder;
  const fs::path root = folder.path() / "tool";
  const fs::path mine = folder.path() / "mine";
  const fs::path theirs = folder.path() / "theirs";
};

TEST_F(Homes, of_the_tool_have_their_three_folders) {
  const auto home = find_assignment(root, "sums");
  ASSERT_TRUE(home) << home.error().message;
  EXPECT_EQ(home->name, "sums");
  EXPECT_EQ(home->folder, root / "harness/assignments/sums");
  EXPECT_EQ(home->reference, root / "reference/sums");
  EXPECT_EQ(home->stubs, root / "student_template/sums");
  EXPECT_TRUE(home->built_in);
}

TEST_F(Homes, of_an_instructor_hold_everything_in_one_folder) {
  const auto home = find_assignment(root, (mine / "histogram").string());
  ASSERT_TRUE(home) << home.error().message;
  EXPECT_EQ(home->name, "histogram");
  EXPECT_EQ(home->folder, mine / "histogram");
  EXPECT_EQ(home->reference, mine / "histogram/reference");
  EXPECT_EQ(home->stubs, mine / "histogram/stubs");
  EXPECT_FALSE(home->built_in);
}

TEST_F(Homes, are_found_however_their_folder_is_written) {
  for (const fs::path& written :
       {mine / "histogram/", mine / "." / "histogram", theirs / "../mine/histogram/./"}) {
    const auto home = find_assignment(root, written.string());
    ASSERT_TRUE(home) << home.error().message;
    EXPECT_EQ(home->name, "histogram") << written;
    EXPECT_EQ(home->folder, mine / "histogram") << written;
  }
}

TEST_F(Homes, are_found_from_within) {
  const fs::path before = fs::current_path();
  fs::current_path(mine / "histogram");
  const auto here = find_assignment(root, ".");
  fs::current_path(mine);
  const auto named = find_assignment(root, "histogram");
  const auto same_name = find_assignment(root, "sums");
  fs::current_path(before);
  ASSERT_TRUE(here) << here.error().message;
  EXPECT_EQ(here->name, "histogram");
  EXPECT_EQ(here->folder.filename(), "histogram");
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_TRUE(named->folder.is_absolute()) << "it is used from other folders";
  ASSERT_TRUE(same_name) << same_name.error().message;
  EXPECT_FALSE(same_name->built_in) << "a folder at hand comes before a name";
}

TEST_F(Homes, keep_their_rules_in_the_file_of_their_form) {
  EXPECT_EQ(find_assignment(root, "sums").value().rules().filename(), "assignment.toml");
  EXPECT_EQ(find_assignment(root, "grids").value().rules().filename(), "assignment.toml");
}

TEST_F(Homes, are_listed_by_name_without_folders_that_are_none) {
  EXPECT_EQ(names(), (std::vector<std::string>{"grids", "sums"}));
}

TEST_F(Homes, of_the_search_path_join_those_of_the_tool_and_hide_them) {
  search(mine.string() + ":" + theirs.string());
  EXPECT_THAT(names(),
              AllOf(Contains("grids"), Contains("histogram"), Contains("scan"), Not(Contains("notes"))));
  EXPECT_EQ(found("histogram"), "mine/histogram");
  EXPECT_EQ(found("scan"), "theirs/scan");
  EXPECT_EQ(found("sums"), "mine/sums") << "the first folder of the search path counts";
  search(theirs.string() + "::" + mine.string() + ":");
  EXPECT_EQ(found("sums"), "theirs/sums");
  EXPECT_EQ(found("grids"), "tool/harness/assignments/grids");
}

TEST_F(Homes, of_a_search_path_without_a_folder_are_an_error) {
  search(mine.string() + ":" + (folder.path() / "gone").string());
  EXPECT_THAT(found("sums"), AllOf(HasSubstr(kSearchPath), HasSubstr("/gone"), HasSubstr("unset it")));
  EXPECT_EQ(found((mine / "histogram").string()), "mine/histogram") << "a folder needs no search";
}

TEST_F(Homes, that_are_unknown_are_an_error_with_the_known_names) {
  search(mine.string());
  EXPECT_THAT(found("knitting"),
              HasSubstr("no assignment is called knitting; there are: grids, histogram, sums"));
  EXPECT_THAT(found(""), HasSubstr("there are: "));
}

TEST_F(Homes, that_are_no_folders_of_assignments_are_an_error) {
  EXPECT_THAT(found((mine / "gone").string()), AllOf(HasSubstr("/gone"), HasSubstr("--assignment takes")));
  EXPECT_THAT(found((mine / "notes").string()),
              AllOf(HasSubstr("assignment.toml"), HasSubstr("warpmark assignment new")));
  EXPECT_THAT(found((mine / "notes/README.md").string()), HasSubstr("README.md"));
}

TEST_F(Homes, name_the_usual_assignment) {
  EXPECT_EQ(default_assignment(root), "sums");
  EXPECT_EQ(default_assignment(mine), "") << "there is no such file";
}

TEST_F(Homes, give_the_stub_that_is_kept_or_else_cut) {
  const std::string solved = "int a;\n// <solution> TODO: b\nint b;\n// </solution>\n";
  write("mine/histogram/reference/h02.cu", solved);
  const AssignmentHome home = find_assignment(root, (mine / "histogram").string()).value();
  EXPECT_EQ(stub_of(home, "h02.cu").value_or("none"), "int a;\n// TODO: b\n");
  EXPECT_FALSE(stub_of(home, "h03.cu"));
  write("mine/histogram/stubs/h02.cu", "int mine;\n");
  EXPECT_EQ(stub_of(home, "h02.cu").value_or("none"), "int mine;\n");
  EXPECT_FALSE(stub_of(home, "h01.cu")) << "the folder holds all that students get";
}

TEST_F(Homes, give_the_headers_that_have_nothing_to_write) {
  write("mine/histogram/reference/atomics.h", "int add;\n");
  write("mine/histogram/reference/bins.cuh", "int add;\n// <solution> TODO\nint b;\n// </solution>\n");
  write("mine/histogram/reference/readme.txt");
  const AssignmentHome home = find_assignment(root, (mine / "histogram").string()).value();
  EXPECT_EQ(given_headers(home), std::vector<fs::path>{mine / "histogram/reference/atomics.h"});
}

}  // namespace
}  // namespace warpmark
