// Inputs as instructors give them: folders, archives, archives in archives.
#include "harness/class/intake/intake.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "tests/class/archive_maker.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class Gather : public testing::Test {
 protected:
  Result<Deliveries> gather_all(const std::vector<fs::path>& inputs) {
    fs::remove_all(folder.path() / "staging");
    return gather(inputs, folder.path() / "staging", folder.path() / "out");
  }
  void put(const std::string& path, const std::string& text = "x") const {
    fs::create_directories((folder.path() / path).parent_path());
    std::ofstream(folder.path() / path) << text;
  }
  std::string bytes(const std::string& name) const { return read_file(folder.path() / name).value(); }
  static std::vector<std::string> names(const Deliveries& found) {
    std::vector<std::string> all;
    for (const Delivery& each : found.all) all.push_back(each.person.name);
    return all;
  }
  const TemporaryFolder folder;
};

TEST_F(Gather, takes_a_folder_and_a_zip_of_it_alike) {
  put("class/anna/v01.cu");
  put("class/ben/lab/v01.cu");
  const auto from_folder = gather_all({folder.path() / "class"});
  ASSERT_TRUE(from_folder) << from_folder.error().message;
  EXPECT_THAT(names(*from_folder), ElementsAre("anna", "ben"));
  for (const std::string top : {"", "class/", "other/"}) {
    make_archive(folder.path() / "class.zip", {{top + "anna/v01.cu", "x"}, {top + "ben/lab/v01.cu", "x"}});
    const auto from_archive = gather_all({folder.path() / "class.zip"});
    ASSERT_TRUE(from_archive);
    EXPECT_THAT(names(*from_archive), ElementsAre("anna", "ben")) << top;
  }
}

TEST_F(Gather, an_empty_folder_is_a_student_who_handed_in_nothing) {
  put("class/anna/v01.cu");
  fs::create_directories(folder.path() / "class/ben/src");
  put("class/cleo/.DS_Store");
  fs::create_directories(folder.path() / "class/.vscode");
  make_archive(folder.path() / "class.zip",
               {{"anna/v01.cu", "x"}, {"ben/", ""}, {"cleo/.DS_Store", "x"}, {"cleo/", ""}});
  make_archive(folder.path() / "moodle.zip", {{"anna_1_assignsubmission_file_/v01.cu", "x"},
                                              {"ben_2_assignsubmission_file_/", ""},
                                              {"cleo_3_assignsubmission_file_/", ""}});
  for (const char* input : {"class", "class.zip", "moodle.zip"}) {
    const auto found = gather_all({folder.path() / input});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(names(*found), ElementsAre("anna", "ben", "cleo")) << input;
    for (const Delivery& each : found->all)
      EXPECT_EQ(each.tree.files.size(), each.person.name == "anna" ? 1U : 0U);
  }
}

TEST_F(Gather, a_class_of_one_student_keeps_the_student) {
  put("class/anna/lab/v01.cu");
  EXPECT_THAT(names(gather_all({folder.path() / "class"}).value()), ElementsAre("anna"));
  make_archive(folder.path() / "class.zip", {{"class/anna/lab/v01.cu", "x"}});
  EXPECT_THAT(names(gather_all({folder.path() / "class.zip"}).value()), ElementsAre("anna"));
}

TEST_F(Gather, unpacks_archives_of_students_and_archives_in_them) {
  make_archive(folder.path() / "inner.tar.gz", {{"v01.cu", "deep"}});
  put("class/ben/readme.txt");
  make_archive(folder.path() / "class/anna.zip", {{"work.tar.gz", bytes("inner.tar.gz")}, {"notes.md", "x"}});
  const auto found = gather_all({folder.path() / "class"});
  ASSERT_TRUE(found);
  ASSERT_THAT(names(*found), Contains("anna"));
  for (const Delivery& each : found->all) {
    if (each.person.name != "anna") continue;
    ASSERT_THAT(each.tree.files, SizeIs(2));
    EXPECT_EQ(each.tree.files[1].path, "anna/work/v01.cu");
    EXPECT_EQ(read_file(each.tree.files[1].file).value(), "deep");
  }
}

TEST_F(Gather, an_export_inside_a_folder_or_an_archive_is_found) {
  make_archive(folder.path() / "section1.zip",
               {{"doejohn_101_7_v01.cu", "x"}, {"roejane_102_8_v01.cu", "x"}});
  fs::create_directory(folder.path() / "sections");
  fs::copy_file(folder.path() / "section1.zip", folder.path() / "sections/section1.zip");
  EXPECT_THAT(names(gather_all({folder.path() / "sections"}).value()), ElementsAre("doejohn", "roejane"));
  EXPECT_THAT(names(gather_all({folder.path() / "section1.zip"}).value()), ElementsAre("doejohn", "roejane"));
}

TEST_F(Gather, a_student_with_a_damaged_archive_costs_nobody_else) {
  put("class/anna/v01.cu");
  put("class/ben/work.zip", "this is no archive");
  const auto found = gather_all({folder.path() / "class"});
  ASSERT_TRUE(found);
  ASSERT_THAT(found->all, SizeIs(2));
  EXPECT_FALSE(found->all[0].fault);
  ASSERT_TRUE(found->all[1].fault);
  EXPECT_EQ(found->all[1].fault->kind, "damaged");
  EXPECT_THAT(found->all[1].remarks, Contains(HasSubstr("work.zip")));
}

TEST_F(Gather, files_that_cannot_lie_side_by_side_cost_nobody_else) {
  put("class/anna/v01.cu");
  make_archive(folder.path() / "inner.zip", {{"v01.cu", "y"}});
  make_archive(folder.path() / "inner.tar", {{"v01.cu", "z"}});
  make_archive(folder.path() / "class/ben.zip", {{"a", "x"}, {"a/b.h", "x"}, {"v01.cu", "x"}});
  make_archive(folder.path() / "class/cleo.zip", {{"work.zip", bytes("inner.zip")}, {"work/v01.cu", "x"}});
  make_archive(folder.path() / "class/dora.zip",
               {{"work.zip", bytes("inner.zip")}, {"work.tar", bytes("inner.tar")}});
  put("class/emil/a\\b.h");
  put("class/emil/a/b.h");
  put("class/emil/v01.cu");
  const auto found = gather_all({folder.path() / "class"});
  ASSERT_TRUE(found);
  ASSERT_THAT(found->all, SizeIs(5));
  const auto paths = [&](std::size_t student) {
    std::vector<std::string> all;
    for (const TreeFile& file : found->all[student].tree.files) all.push_back(file.path);
    return all;
  };
  EXPECT_THAT(names(*found), ElementsAre("anna", "emil", "ben", "cleo", "dora"));
  EXPECT_THAT(paths(1), ElementsAre("a/b.h", "v01.cu"));
  EXPECT_THAT(paths(2), ElementsAre("ben/a/b.h", "ben/v01.cu"));
  EXPECT_THAT(found->all[2].remarks, Contains(HasSubstr("has the path of another")));
  EXPECT_THAT(paths(3), ElementsAre("cleo/work-2/v01.cu", "cleo/work/v01.cu"));
  EXPECT_THAT(paths(4), ElementsAre("dora/work-2/v01.cu", "dora/work/v01.cu"));
  for (std::size_t i = 0; i < 5; ++i)
    classroom::put(found->all[i].tree, folder.path() / "placed" / std::to_string(i));
}

TEST_F(Gather, a_students_archive_beside_others_is_no_platforms_export) {
  put("class/anna/v01.cu");
  make_archive(folder.path() / "class/mallory.zip", {{"Anna_111_assignsubmission_file_/v01.cu", "x"},
                                                     {"Zoe_112_assignsubmission_file_/v01.cu", "x"}});
  const auto found = gather_all({folder.path() / "class"});
  ASSERT_TRUE(found);
  EXPECT_THAT(names(*found), ElementsAre("anna", "mallory"));
}

TEST_F(Gather, archives_that_are_not_read_are_named) {
  put("class/anna/v01.cu");
  put("class/anna/more.rar");
  put("class/ben/v01.cu");
  const auto found = gather_all({folder.path() / "class"});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->all[0].remarks, ElementsAre(HasSubstr("more.rar")));
}

TEST_F(Gather, says_the_first_of_many_files_that_were_left_out) {
  std::vector<Packed> many{{"v01.cu", "x"}};
  for (int i = 0; i < 20; ++i) many.push_back({"l" + std::to_string(i), "", "elsewhere"});
  put("class/anna/v01.cu");
  make_archive(folder.path() / "class/ben.tar.gz", many);
  const auto found = gather_all({folder.path() / "class"});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(found->all[1].remarks, SizeIs(6));
  EXPECT_EQ(found->all[1].remarks.back(), "15 more were left out, too");
}

TEST_F(Gather, unusable_inputs_are_refused_with_the_reason) {
  fs::create_directory(folder.path() / "empty");
  put("notes.txt");
  const auto message = [&](const char* name) {
    const auto found = gather_all({folder.path() / name});
    return found ? std::string("accepted") : found.error().message;
  };
  EXPECT_THAT(message("empty"), HasSubstr("is empty"));
  EXPECT_THAT(message("nowhere"), HasSubstr("there is no such file or folder"));
  EXPECT_THAT(message("notes.txt"), HasSubstr("neither a folder nor a zip or tar"));
}

TEST_F(Gather, archives_of_one_submission_share_its_caps) {
  make_archive(folder.path() / "zeros.tar.gz", {{"zeros", std::string(15 << 20, '\0')}});
  std::vector<Packed> many{{"v01.cu", "x"}};
  for (int i = 0; i < 40; ++i) many.push_back({"a" + std::to_string(i) + ".tar.gz", bytes("zeros.tar.gz")});
  put("class/anna/v01.cu");
  make_archive(folder.path() / "class/ben.zip", many);
  const auto found = gather_all({folder.path() / "class"});
  ASSERT_TRUE(found) << found.error().message;
  std::uintmax_t written = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "staging"))
    written += entry.is_regular_file() ? entry.file_size() : 0;
  EXPECT_LE(written, kSubmissionCaps.bytes + (16 << 20));
  ASSERT_THAT(found->all, SizeIs(2));
  EXPECT_EQ(found->all[1].fault->kind, "damaged");
}

TEST_F(Gather, put_replaces_a_folder_as_a_whole) {
  put("source/v01.cu", "new");
  put("target/old.cu");
  Tree tree;
  tree.files = {{"sub/v01.cu", folder.path() / "source/v01.cu"}};
  classroom::put(tree, folder.path() / "target");
  EXPECT_FALSE(fs::exists(folder.path() / "target/old.cu"));
  EXPECT_EQ(read_file(folder.path() / "target/sub/v01.cu").value(), "new");
}

TEST_F(Gather, content_depends_on_names_and_bytes_alone) {
  put("a/v01.cu", "x");
  put("b/v01.cu", "x");
  put("b/v02.cu", "y");
  const auto content = [&](const std::string& path, const std::string& name) {
    Tree tree;
    tree.files = {{name, folder.path() / path}};
    return content_of(tree);
  };
  EXPECT_EQ(content("a/v01.cu", "v01.cu"), content("b/v01.cu", "v01.cu"));
  EXPECT_NE(content("a/v01.cu", "v01.cu"), content("b/v02.cu", "v01.cu"));
  EXPECT_NE(content("a/v01.cu", "v01.cu"), content("a/v01.cu", "v02.cu"));
}

}  // namespace
}  // namespace warpmark::classroom
