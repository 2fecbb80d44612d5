// The layouts of the platforms' exports, by names alone.
#include "harness/class/intake/delivery.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/class/intake/intake.h"

namespace warpmark::classroom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Tree tree_of(const std::vector<std::string>& paths) {
  Tree tree;
  for (const std::string& path : paths) tree.files.push_back({path, "/nowhere/" + path});
  return tree;
}

std::vector<std::string> paths(const Delivery& delivery) {
  std::vector<std::string> all;
  for (const TreeFile& file : delivery.tree.files) all.push_back(file.path);
  return all;
}

TEST(Layout, is_told_by_names) {
  EXPECT_EQ(layout_of(tree_of({"anna/v01.cu", "ben/v01.cu"})), Layout::folders);
  EXPECT_EQ(layout_of(tree_of({"doejohn_101_2002_v01.cu"})), Layout::canvas);
  EXPECT_EQ(layout_of(tree_of({"Ada Doe_101_assignsubmission_file_/v01.cu"})), Layout::moodle);
  EXPECT_EQ(layout_of(tree_of({"submission_1/v01.cu", "submission_metadata.yml"})), Layout::gradescope);
  EXPECT_EQ(layout_of(tree_of({"submission_1/submission_metadata.yml"})), Layout::gradescope);
  Tree clones = tree_of({"reduction-ada/v01.cu", "reduction-ben/v01.cu"});
  EXPECT_EQ(layout_of(clones), Layout::folders);
  clones.repositories = {"reduction-ada", "reduction-ben"};
  EXPECT_EQ(layout_of(clones), Layout::github);
}

// Moodle puts its prefix before the name that a student gave to a file.
TEST(Moodle, a_files_name_makes_it_nobody_elses) {
  const auto found = split(tree_of({"Ada_111_assignsubmission_file_v01.cu",
                                    "Mallory_222_assignsubmission_file_x_111_assignsubmission_file_v01.cu"}),
                           "export");
  ASSERT_THAT(found.all, SizeIs(2));
  EXPECT_EQ(found.all[0].person.name, "Ada");
  EXPECT_THAT(paths(found.all[0]), ElementsAre("v01.cu"));
  EXPECT_EQ(found.all[1].person.name, "Mallory");
  EXPECT_THAT(paths(found.all[1]), ElementsAre("x_111_assignsubmission_file_v01.cu"));
}

TEST(Moodle, two_names_of_one_number_are_told) {
  const auto found = split(
      tree_of({"Ada_111_assignsubmission_file_v01.cu", "Ben_111_assignsubmission_file_v02.cu"}), "export");
  ASSERT_THAT(found.all, SizeIs(1));
  EXPECT_THAT(found.all[0].remarks, ElementsAre(testing::HasSubstr("two names")));
}

TEST(Canvas, names_hold_student_lateness_and_numbers) {
  const auto late = canvas_name("doejohn_LATE_101_2002_v07_tree_sequential.cu");
  ASSERT_TRUE(late);
  EXPECT_EQ(late->student, "doejohn");
  EXPECT_TRUE(late->late);
  EXPECT_EQ(late->key, "101");
  EXPECT_EQ(late->submission, "2002");
  EXPECT_EQ(late->file, "v07_tree_sequential.cu");
  EXPECT_FALSE(canvas_name("v07_tree_sequential.cu"));
}

TEST(Canvas, gives_one_delivery_a_submission_and_keeps_late_marks) {
  const auto found = split(tree_of({"doejohn_101_7_v01.cu", "doejohn_101_7_v02-1.cu", "doejohn_101_7_v02.cu",
                                    "roejane_LATE_102_8_v01.cu", "readme.txt"}),
                           "export");
  ASSERT_THAT(found.all, SizeIs(2));
  EXPECT_THAT(paths(found.all[0]), ElementsAre("v01.cu", "v02.cu"));
  EXPECT_EQ(found.all[0].tree.files[1].file, "/nowhere/doejohn_101_7_v02-1.cu");
  EXPECT_FALSE(found.all[0].lateness.late);
  EXPECT_TRUE(found.all[1].lateness.late);
  EXPECT_EQ(found.all[1].person.key, "102");
  ASSERT_THAT(found.not_understood, SizeIs(1));
  EXPECT_EQ(found.not_understood[0].where, "export/readme.txt");
}

TEST(Canvas, the_latest_submission_of_a_student_counts) {
  const auto kept =
      latest_of_each(split(tree_of({"doejohn_101_9_v01.cu", "doejohn_101_10_v02.cu"}), "e").all);
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_THAT(paths(kept[0]), ElementsAre("v02.cu"));
  EXPECT_THAT(kept[0].remarks, ElementsAre(HasSubstr("e/doejohn_101_9")));
}

TEST(Moodle, folders_and_flat_files_are_one_delivery_a_participant) {
  const auto found = split(tree_of({"Ada Doe_101_assignsubmission_file_/sub/v01.cu",
                                    "Ada Doe_101_assignsubmission_onlinetext_/onlinetext.html",
                                    "Zoë Roe_102_assignsubmission_file_/v01.cu", "stray.txt"}),
                           "export");
  ASSERT_THAT(found.all, SizeIs(2));
  EXPECT_EQ(found.all[0].person.name, "Ada Doe");
  EXPECT_EQ(found.all[0].person.key, "101");
  EXPECT_THAT(paths(found.all[0]), ElementsAre("sub/v01.cu"));
  EXPECT_THAT(found.all[0].remarks, ElementsAre(HasSubstr("online")));
  EXPECT_THAT(found.not_understood, SizeIs(1));
  const auto flat = split(tree_of({"Ada Doe_101_assignsubmission_file_v01.cu"}), "export");
  ASSERT_THAT(flat.all, SizeIs(1));
  EXPECT_THAT(paths(flat.all[0]), ElementsAre("v01.cu"));
}

TEST(Gradescope, metadata_says_who_and_when) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "submission_metadata.yml")
      << "submission_1:\n  :submitters:\n  - :name: Ada Doe\n    :sid: '77'\n    :email: ada@x.edu\n"
         "  - :name: Ben\n    :email: ben@x.edu\n  :created_at: 2026-11-20 10:00:00.000 Z\n"
         "submission_2:\n  :submitters:\n  - :name: Ada Doe\n    :email: ada@x.edu\n"
         "  :created_at: 2026-11-21 10:00:00.000 Z\n";
  Tree tree = tree_of({"submission_1/v01.cu", "submission_2/v02.cu", "submission_3/v01.cu"});
  tree.files.push_back({"submission_metadata.yml", folder.path() / "submission_metadata.yml"});
  const auto found = split(tree, "export");
  ASSERT_THAT(found.all, SizeIs(4));  // a group's submission is every member's
  const auto kept = latest_of_each(found.all);
  ASSERT_THAT(kept, SizeIs(3));
  EXPECT_EQ(kept[0].person.email, "ada@x.edu");
  EXPECT_THAT(paths(kept[0]), ElementsAre("v02.cu"));
  EXPECT_EQ(kept[1].person.name, "Ben");
  EXPECT_EQ(kept[2].person.name, "submission_3");
  EXPECT_THAT(kept[2].remarks, ElementsAre(HasSubstr("does not say")));
}

TEST(Gradescope, metadata_that_is_none_is_said) {
  EXPECT_FALSE(gradescope_entries("- a\n- b\n"));
  EXPECT_FALSE(gradescope_entries(":x: [unclosed"));
}

TEST(GitHub, clones_are_told_by_their_common_beginning) {
  Tree tree = tree_of({"lab-1-ada/v01.cu", "lab-1-ben-x/v01.cu"});
  tree.repositories = {"lab-1-ada", "lab-1-ben-x"};
  const auto found = split(tree, "clones");
  ASSERT_THAT(found.all, SizeIs(2));
  EXPECT_EQ(found.all[0].person.login, "ada");
  EXPECT_EQ(found.all[1].person.login, "ben-x");
}

TEST(Folders, give_a_student_each_and_name_what_lies_beside) {
  const auto found = split(tree_of({"anna/v01.cu", "ben.zip", "notes.txt"}), "class");
  ASSERT_THAT(found.all, SizeIs(2));
  EXPECT_EQ(found.all[0].person.name, "anna");
  EXPECT_EQ(found.all[1].person.name, "ben");
  ASSERT_THAT(found.not_understood, SizeIs(1));
}

TEST(Folders, one_submission_is_a_class_of_one) {
  const auto found = split(tree_of({"v01.cu", "helpers/h.cuh"}), "anna");
  ASSERT_THAT(found.all, SizeIs(1));
  EXPECT_EQ(found.all[0].person.name, "anna");
  EXPECT_EQ(found.all[0].tree.files.size(), 2U);
}

TEST(Latest, the_same_student_twice_without_dates_stays_twice_and_is_said) {
  std::vector<Delivery> twice(2);
  twice[0].person.name = "Anna";
  twice[1].person.name = "anna";
  const auto kept = latest_of_each(twice);
  ASSERT_THAT(kept, SizeIs(2));
  EXPECT_THAT(kept[1].remarks, ElementsAre(HasSubstr("twice")));
}

const KnownAssignment kAssignment{"reduction", "", {"v01.cu", "v02.cu", "upload.cu"}};

TEST(VersionsFolder, is_the_one_that_holds_them) {
  EXPECT_EQ(versions_folder(tree_of({"v01.cu", "h.cuh"}), kAssignment).value(), "");
  EXPECT_EQ(versions_folder(tree_of({"lab/src/v01.cu", "lab/readme"}), kAssignment).value(), "lab/src");
  EXPECT_EQ(versions_folder(tree_of({"lab/V01.cu.txt"}), kAssignment).value(), "lab");
}

TEST(VersionsFolder, is_not_guessed) {
  EXPECT_EQ(versions_folder(tree_of({"readme.txt"}), kAssignment).error().kind, "no_versions");
  const auto two = versions_folder(tree_of({"new/v01.cu", "old/v01.cu"}), kAssignment);
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().kind, "several_folders");
  EXPECT_THAT(two.error().message, HasSubstr("new, old"));
}

TEST(AssignmentOf, is_told_by_the_files_or_asked_for) {
  const std::vector<KnownAssignment> known{kAssignment, {"warmup", "", {"w01.cu"}}};
  std::vector<Delivery> all(2);
  all[0].tree = tree_of({"lab/v01.cu"});
  EXPECT_EQ(assignment_of(all, known).value(), "reduction");
  all[1].tree = tree_of({"w01.cu"});
  const auto several = assignment_of(all, known);
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message, HasSubstr("--assignment"));
  EXPECT_FALSE(assignment_of({}, known));
}

TEST(AssignmentOf, a_class_is_not_told_by_files_that_several_assignments_ask_for) {
  const std::vector<KnownAssignment> known{kAssignment, {"nearest", "", {"k01.cu", "upload.cu"}}};
  std::vector<Delivery> all(2);
  all[0].tree = tree_of({"v01.cu", "upload.cu"});
  all[1].tree = tree_of({"upload.cu"});
  EXPECT_EQ(assignment_of(all, known).value_or("none"), "reduction");
  all.erase(all.begin());
  const auto several = assignment_of(all, known);
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message, HasSubstr("reduction, nearest"));
}

}  // namespace
}  // namespace warpmark::classroom
