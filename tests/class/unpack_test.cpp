#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/class/intake/tree.h"
#include "tests/class/archive_maker.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Unpack : public testing::Test {
 protected:
  Result<Tree> read(const std::string& name, const std::vector<Packed>& entries,
                    const Caps& caps = kClassCaps) {
    make_archive(folder.path() / name, entries);
    return read_archive(folder.path() / name, folder.path() / "staging", caps);
  }
  static std::vector<std::string> paths(const Tree& tree) {
    std::vector<std::string> all;
    for (const TreeFile& file : tree.files) all.push_back(file.path);
    return all;
  }
  const TemporaryFolder folder;
};

TEST_F(Unpack, reads_zip_and_tar_with_names_of_every_script) {
  for (const char* name : {"a.zip", "a.tar.gz"}) {
    fs::remove_all(folder.path() / "staging");
    const auto tree = read(name, {{"Zoë/v01.cu", "one"}, {"李/v02.cu", "two"}, {"__MACOSX/x", "litter"}});
    ASSERT_TRUE(tree) << tree.error().message;
    EXPECT_THAT(paths(*tree), ElementsAre("Zoë/v01.cu", "李/v02.cu"));
    EXPECT_EQ(read_file(tree->files[1].file).value(), "two");
    EXPECT_THAT(tree->refused, IsEmpty());
  }
}

TEST_F(Unpack, names_of_the_archive_never_become_names_here) {
  const auto tree = read("a.tar.gz", {{"../climbs.cu", "x"}, {"/absolute.cu", "x"}, {"a/v01.cu", "right"}});
  ASSERT_TRUE(tree);
  EXPECT_THAT(paths(*tree), ElementsAre("a/v01.cu"));
  EXPECT_EQ(tree->refused.size(), 2U);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "staging"))
    EXPECT_EQ(entry.path().filename().string().find_first_not_of("0123456789"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path() / "climbs.cu"));
}

TEST_F(Unpack, links_are_left_out_and_named) {
  const auto tree = read("a.tar.gz", {{"a/v01.cu", "", "/etc/passwd"}});
  ASSERT_TRUE(tree);
  EXPECT_THAT(tree->files, IsEmpty());
  ASSERT_EQ(tree->refused.size(), 1U);
  EXPECT_EQ(tree->refused[0].path, "a/v01.cu");
  EXPECT_THAT(tree->refused[0].why, HasSubstr("link"));
}

TEST_F(Unpack, a_bomb_is_cut_short) {
  const Caps caps{1 << 20, 4 << 20, 1000};
  const auto tree = read("a.tar.gz", {{"a/zeros.cu", std::string(8 << 20, '\0')}}, caps);
  ASSERT_FALSE(tree);
  EXPECT_THAT(tree.error().message, HasSubstr("4 MiB"));
}

TEST_F(Unpack, a_file_above_the_cap_is_left_out_alone) {
  const Caps caps{1 << 20, 16 << 20, 1000};
  for (const char* name : {"a.zip", "a.tar.gz"}) {
    fs::remove_all(folder.path() / "staging");
    const auto tree = read(name, {{"a/big.bin", std::string(3 << 20, 'x')}, {"a/v01.cu", "right"}}, caps);
    ASSERT_TRUE(tree) << tree.error().message;
    EXPECT_THAT(paths(*tree), ElementsAre("a/v01.cu"));
    ASSERT_EQ(tree->refused.size(), 1U);
    EXPECT_THAT(tree->refused[0].why, HasSubstr("larger than 1 MiB"));
  }
}

TEST_F(Unpack, too_many_entries_are_refused) {
  std::vector<Packed> many;
  for (int i = 0; i < 20; ++i) many.push_back({"f" + std::to_string(i), ""});
  EXPECT_FALSE(read("a.zip", many, {1 << 20, 1 << 20, 10}));
}

TEST_F(Unpack, a_name_that_stands_there_twice_is_taken_once_and_named) {
  const auto tree = read("a.tar.gz", {{"a/v01.cu", "first"}, {"a/v01.cu", "second"}, {"a/V01.cu", "case"}});
  ASSERT_TRUE(tree);
  EXPECT_THAT(paths(*tree), ElementsAre("a/V01.cu", "a/v01.cu"));
  EXPECT_EQ(read_file(tree->files[1].file).value(), "first");
  EXPECT_EQ(tree->refused.size(), 2U);
}

TEST_F(Unpack, a_truncated_or_foreign_file_is_damaged) {
  make_archive(folder.path() / "whole.tar.gz",
               {{"a/v01.cu", std::string(100000, 'x') + std::to_string(rand())}});
  std::string bytes = read_file(folder.path() / "whole.tar.gz").value();
  std::ofstream(folder.path() / "cut.tar.gz") << bytes.substr(0, bytes.size() / 2);
  std::ofstream(folder.path() / "text.zip") << "this is no archive";
  std::ofstream(folder.path() / "empty.zip");
  for (const char* name : {"cut.tar.gz", "text.zip", "empty.zip"})
    EXPECT_FALSE(read_archive(folder.path() / name, folder.path() / "staging", kClassCaps)) << name;
}

TEST(Folder, is_walked_without_its_links_and_the_output) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "anna/.git");
  fs::create_directories(folder.path() / "out/anna");
  std::ofstream(folder.path() / "anna/v01.cu") << "x";
  std::ofstream(folder.path() / "out/anna/v01.cu") << "x";
  fs::create_symlink("/etc/passwd", folder.path() / "anna/v02.cu");
  const auto tree = read_folder(folder.path(), kClassCaps, folder.path() / "out");
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->files.size(), 1U);
  EXPECT_EQ(tree->files[0].path, "anna/v01.cu");
  ASSERT_EQ(tree->refused.size(), 1U);
  EXPECT_EQ(tree->refused[0].path, "anna/v02.cu");
  EXPECT_TRUE(tree->repositories.contains("anna"));
}

}  // namespace
}  // namespace warpmark::classroom
