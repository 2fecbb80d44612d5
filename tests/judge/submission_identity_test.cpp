// What a submission is called, and its hash.
#include <filesystem>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/intake_fixture.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

TEST_F(Intake, takes_any_name_of_a_folder) {
  for (const char* name :
       {"with spaces", "quo'te\"s", "new\nline", "-option", "$(touch x)", "\xff\xfe", "ünïcode"}) {
    const fs::path path = folder.path() / name;
    fs::create_directory(path);
    ASSERT_TRUE(write_file(path / "v07_tree_sequential.cu", kAttempt));
    const auto submission = take_in(path, reduction(), kRoot);
    ASSERT_TRUE(submission) << name;
    EXPECT_EQ(submission->name, name);
    EXPECT_THAT(submission->files.at(kVersion).causes, IsEmpty()) << name;
    EXPECT_EQ(name_recognised(path), "reduction") << name;
  }
}

TEST_F(Intake, names_a_folder_the_same_however_it_is_written) {
  fs::create_directory(folder.path() / "alice");
  for (const char* written : {"alice", "alice/", "alice/.", "./alice", "alice/../alice"}) {
    const auto submission = take_in(folder.path() / written, reduction(), kRoot);
    ASSERT_TRUE(submission) << written;
    EXPECT_EQ(submission->name, "alice") << written;
  }
}

TEST_F(Intake, names_the_courses_own_folders_by_their_place) {
  const auto reference = take_in(kRoot / "reference/reduction", reduction(), kRoot);
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->name, "reference/reduction");
}

TEST_F(Intake, hashes_every_file_whatever_its_ending) {
  write("v07_tree_sequential.cu", "a");
  write("include/tree.cuh", "b");
  const std::string before = taken_in().hash;
  EXPECT_EQ(before.size(), 64U);
  EXPECT_EQ(taken_in().hash, before);
  write("include/tree.cuh", "c");
  const std::string changed = taken_in().hash;
  EXPECT_NE(changed, before);
  write("my helpers.h", "");
  const std::string added = taken_in().hash;
  EXPECT_NE(added, changed);
  fs::rename(folder.path() / "my helpers.h", folder.path() / "my_helpers.h");
  EXPECT_NE(taken_in().hash, added);
}

TEST_F(Intake, hashes_contents_with_their_names) {
  write("a.cu", "1");
  write("b.cu", "2");
  const std::string before = taken_in().hash;
  write("a.cu", "2");
  write("b.cu", "1");
  EXPECT_NE(taken_in().hash, before);
}

TEST_F(Intake, hashes_what_a_source_may_include) {
  write("v07_tree_sequential.cu", "#include \"table.txt\"");
  write("table.txt", "1");
  const std::string before = taken_in().hash;
  write("table.txt", "2");
  EXPECT_NE(taken_in().hash, before);
}

TEST_F(Intake, hashes_neither_hidden_files_nor_the_place) {
  write("v07_tree_sequential.cu", "a");
  const std::string before = taken_in().hash;
  write(".git/index", "changes all the time");
  write(".swp", "");
  fs::create_directory(folder.path() / "empty");
  EXPECT_EQ(taken_in().hash, before);
  const TemporaryFolder elsewhere;
  ASSERT_TRUE(write_file(elsewhere.path() / "v07_tree_sequential.cu", "a"));
  EXPECT_EQ(take_in(elsewhere.path(), reduction(), kRoot).value().hash, before);
}

TEST_F(Intake, hashes_all_sources_beside_links_that_lead_nowhere) {
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    write(std::string(name) + ".cu", "1");
    fs::create_symlink("nowhere", folder.path() / (std::string(name) + "_link.h"));
  }
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    const std::string before = taken_in().hash;
    write(std::string(name) + ".cu", "2");
    EXPECT_NE(taken_in().hash, before) << name;
  }
}

}  // namespace
}  // namespace warpmark::judge
