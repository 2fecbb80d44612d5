#include "harness/class/intake/names.h"

#include <gtest/gtest.h>

#include "harness/class/roster/ids.h"
#include "harness/judge/intake/near_names.h"

namespace warpmark::classroom {
namespace {

TEST(SafePath, keeps_plain_paths_and_cleans_them_up) {
  EXPECT_EQ(safe_path("anna/v01.cu").value(), "anna/v01.cu");
  EXPECT_EQ(safe_path("./anna//./v01.cu").value(), "anna/v01.cu");
  EXPECT_EQ(safe_path("anna\\v01.cu").value(), "anna/v01.cu");
}

TEST(SafePath, refuses_what_leaves_the_folder) {
  for (const char* path :
       {"../x.cu", "a/../../x.cu", "/etc/passwd", "C:/x.cu", "..\\x.cu", "", ".", "a/.."}) {
    EXPECT_FALSE(safe_path(path)) << path;
  }
  EXPECT_FALSE(safe_path(std::string(300, 'a')));
  std::string deep;
  for (int i = 0; i < 30; ++i) deep += "a/";
  EXPECT_FALSE(safe_path(deep + "x.cu"));
}

TEST(SafePath, spells_out_bytes_that_are_no_text) {
  EXPECT_EQ(safe_path("caf\xE9.cu").value(), "caf%E9.cu");
  EXPECT_EQ(safe_path("a\nb.cu").value(), "a%0Ab.cu");
  EXPECT_EQ(safe_path("Zoë.cu").value(), "Zoë.cu");
}

TEST(Names, know_litter_and_archives) {
  EXPECT_TRUE(is_litter("__MACOSX/anna/._v01.cu"));
  EXPECT_TRUE(is_litter("anna/.DS_Store"));
  EXPECT_TRUE(is_litter("anna/.warpmark/student_template/reduction/v01.cu"));
  EXPECT_FALSE(is_litter("anna/v01.cu"));
  EXPECT_TRUE(is_archive("a/b.TAR.GZ"));
  EXPECT_FALSE(is_archive(".zip"));
  EXPECT_EQ(archive_stem("in/anna.tar.gz"), "anna");
  EXPECT_TRUE(is_foreign_archive("work.rar"));
  EXPECT_FALSE(is_foreign_archive("work.tar.gz"));
}

TEST(Ids, are_readable_in_every_script) {
  EXPECT_EQ(readable_id("Ada Lovelace"), "Ada-Lovelace");
  EXPECT_EQ(readable_id("李小龍"), "李小龍");
  EXPECT_EQ(readable_id("محمد علي"), "محمد-علي");
  EXPECT_EQ(readable_id("Zoe\u0308"), "Zo\u00EB");  // composed
  EXPECT_EQ(readable_id("../../etc"), "etc");
  EXPECT_EQ(readable_id("--help"), "help");
  EXPECT_EQ(readable_id("🙂"), "student");
  EXPECT_LE(readable_id(std::string(500, 'x')).size(), 80U);
}

TEST(Ids, are_unique_where_case_and_accents_do_not_count) {
  Ids ids;
  EXPECT_EQ(ids.id_of("1", "Anna", ""), "Anna");
  EXPECT_EQ(ids.id_of("2", "anna", ""), "anna-2");
  EXPECT_EQ(ids.id_of("3", "ANNA", "77"), "ANNA-77");
  EXPECT_EQ(ids.id_of("2", "somebody else", ""), "anna-2");
}

TEST(Ids, stay_the_same_in_a_later_run) {
  Ids before;
  before.id_of("1", "Anna", "");
  before.id_of("2", "anna", "");
  Ids after(before.given());
  EXPECT_EQ(after.id_of("0", "Anna", ""), "Anna-3");
  EXPECT_EQ(after.id_of("2", "anna", ""), "anna-2");
}

TEST(NearName, finds_case_one_letter_and_the_marks_of_copies) {
  const std::set<std::string> wanted{"v07_tree_sequential.cu", "v08_tree_first_add.cu"};
  for (const char* name : {"v07_tree_sequental.cu", "V07_Tree_Sequential.cu", "v07_tree_sequential.CU",
                           "v07_tree_sequential.cu.txt", "v07_tree_sequential (1).cu",
                           "v07_tree_sequential-2.cu", "v07_tree_sequentail.cu", "v07_tree_seqquential.cu",
                           "v07_tree_sequential copy.cu", "v07_tree_sequential.cpp"}) {
    EXPECT_EQ(judge::near_name(name, wanted).value_or("none"), "v07_tree_sequential.cu") << name;
  }
}

TEST(NearName, leaves_other_names_alone) {
  const std::set<std::string> wanted{"v07_tree_sequential.cu", "v01_a.cu", "v02_a.cu"};
  for (const char* name :
       {"v07_tree_sequential.cu", "v07_tree.cu", "helpers.cu", "v03_a.cu", "v07_tree_sequential.h"}) {
    EXPECT_FALSE(judge::near_name(name, wanted)) << name;
  }
}

}  // namespace
}  // namespace warpmark::classroom
