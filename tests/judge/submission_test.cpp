#include "harness/judge/intake/submission.h"

#include <filesystem>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "harness/base/file.h"
#include "tests/home.h"
#include "tests/judge/intake_fixture.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(Intake, tells_the_assignment_by_any_one_of_its_files) {
  write("v07_tree_sequential.cu", kAttempt);
  EXPECT_EQ(recognised().value_or(refusal()), "reduction");
}

TEST_F(Intake, tells_the_assignment_by_its_upload_file) {
  write("upload.cu", kAttempt);
  EXPECT_EQ(recognised().value_or(refusal()), "reduction");
}

TEST_F(Intake, tells_assignments_whose_upload_files_are_called_alike_apart) {
  write("upload.cu", "#include \"knn.h\"\n");
  EXPECT_EQ(recognised().value_or(refusal()), "knn");
  write("v07_tree_sequential.cu", kAttempt);
  EXPECT_EQ(recognised().value_or(refusal()), "reduction");
}

TEST_F(Intake, of_an_upload_file_without_a_contract_names_the_assignments_that_ask_for_it) {
  write("upload.cu", "int attempt;\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("knn, reduction"), HasSubstr("--assignment")));
}

TEST_F(Intake, tells_another_assignment_by_its_files) {
  write("w02_grid_stride.cu", kAttempt);
  EXPECT_EQ(recognised().value_or(refusal()), "warmup");
}

TEST_F(Intake, knows_the_courses_own_folders) {
  for (const char* where : {"reference", "student_template"}) {
    for (const char* assignment : {"reduction", "warmup"}) {
      EXPECT_EQ(name_recognised(kRoot / where / assignment), assignment);
    }
  }
}

TEST_F(Intake, of_an_empty_folder_names_the_files_that_it_looked_for) {
  EXPECT_THAT(refusal(), AllOf(HasSubstr(folder.path().string()), HasSubstr("v01_atomic_per_element.cu"),
                               HasSubstr("w01_thread_per_element.cu"), HasSubstr("warpmark new DIR")));
}

TEST_F(Intake, of_a_folder_without_any_known_file_is_refused) {
  write("main.cu", kAttempt);
  write("v07_tree_sequential.cpp", kAttempt);
  EXPECT_THAT(refusal(), HasSubstr("holds no file of any assignment"));
}

TEST_F(Intake, of_a_folder_with_two_assignments_names_both) {
  write("v07_tree_sequential.cu", kAttempt);
  write("w02_grid_stride.cu", kAttempt);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("reduction"), HasSubstr("warmup"), HasSubstr("--assignment")));
}

TEST_F(Intake, of_a_folder_of_submissions_names_them) {
  write("alice/v07_tree_sequential.cu", kAttempt);
  write("b o b/w02_grid_stride.cu", kAttempt);
  write("empty/notes.txt", "");
  EXPECT_THAT(refusal(), AllOf(HasSubstr((folder.path() / "alice").string()),
                               HasSubstr((folder.path() / "b o b").string()),
                               Not(HasSubstr((folder.path() / "empty").string()))));
}

TEST_F(Intake, of_a_folder_of_submissions_steps_over_links_that_lead_nowhere) {
  fs::create_symlink("nowhere", folder.path() / "a link");
  for (const char* name : {"alice", "bob", "carol", "dave"}) {
    write(fs::path(name) / "upload.cu", kAttempt);
    fs::create_symlink("nowhere", folder.path() / (std::string(name) + ".link"));
  }
  for (const char* name : {"alice", "bob", "carol", "dave"}) {
    EXPECT_THAT(refusal(), HasSubstr((folder.path() / name).string()));
  }
}

TEST_F(Intake, of_no_folder_is_refused) {
  EXPECT_FALSE(recognise_assignment(folder.path() / "missing", kRoot));
  const auto submission = take_in(folder.path() / "missing", reduction(), kRoot);
  ASSERT_FALSE(submission);
  EXPECT_THAT(submission.error().message, HasSubstr("missing"));
}

TEST_F(Intake, reads_what_the_student_wrote) {
  write("v07_tree_sequential.cu", kAttempt);
  const Submission submission = taken_in();
  const SubmittedFile& file = submission.files.at(kVersion);
  EXPECT_THAT(file.causes, IsEmpty());
  EXPECT_EQ(file.text, kAttempt);
  EXPECT_EQ(file.name, "v07_tree_sequential.cu");
  EXPECT_TRUE(file.path.is_absolute());
  EXPECT_EQ(submission.folder, fs::canonical(folder.path()));
  EXPECT_EQ(submission.name, folder.path().filename().string());
}

TEST_F(Intake, has_a_file_for_every_version_and_for_the_upload) {
  const Submission submission = taken_in();
  const Rubric rubric = reduction();
  EXPECT_EQ(submission.files.size(), versions_in(folder.path(), rubric).size() + 1);
  EXPECT_TRUE(submission.files.contains("upload"));
}

TEST_F(Intake, a_missing_file_costs_only_itself) {
  write("v07_tree_sequential.cu", kAttempt);
  EXPECT_EQ(cause_of("v05_tree_modulo"), "not_implemented");
  EXPECT_EQ(cause_of("v01_atomic_per_element"), "not_implemented") << "given, but not handed in";
  EXPECT_EQ(cause_of("upload"), "not_implemented");
  EXPECT_EQ(cause_of(kVersion), "");
}

TEST_F(Intake, a_file_that_cannot_be_read_costs_only_itself) {
  write("v05_tree_modulo.cu", kAttempt);
  fs::create_directory(folder.path() / "v07_tree_sequential.cu");
  EXPECT_EQ(cause_of(kVersion), "compile_error");
  EXPECT_EQ(cause_of("v05_tree_modulo"), "");
}

TEST_F(Intake, a_link_in_place_of_a_file_is_refused_and_costs_only_itself) {
  write("v05_tree_modulo.cu", kAttempt);
  write("elsewhere.txt", kAttempt);
  for (const char* target : {"nowhere", "elsewhere.txt", "/etc/passwd"}) {
    fs::remove(folder.path() / "v07_tree_sequential.cu");
    fs::create_symlink(target, folder.path() / "v07_tree_sequential.cu");
    const auto submission = taken_in();
    const auto& file = submission.files.at(kVersion);
    ASSERT_EQ(file.causes.size(), 1U) << target;
    EXPECT_EQ(file.causes[0].kind, CauseKind::compile_error) << target;
    EXPECT_THAT(file.causes[0].message, AllOf(HasSubstr("v07_tree_sequential.cu is a symbolic link"),
                                              HasSubstr("put a copy of the file in its place")));
    EXPECT_EQ(file.text, "") << "what it leads to was read";
    EXPECT_THAT(submission.files.at("v05_tree_modulo").causes, IsEmpty()) << target;
  }
}

// Any file could include it.
TEST_F(Intake, what_a_compiler_would_follow_or_wait_at_costs_every_file) {
  write("v07_tree_sequential.cu", kAttempt);
  write("v05_tree_modulo.cu", kAttempt);
  const auto refused_for = [&](const char* name) {
    const auto submission = taken_in();
    for (const char* version : {"v07_tree_sequential", "v05_tree_modulo"}) {
      EXPECT_EQ(submission.files.at(version).causes.size(), 1U) << name;
    }
    EXPECT_EQ(submission.files.at("v03_atomic_coalesced").causes.front().kind, CauseKind::not_implemented);
    fs::remove(folder.path() / name);
    const auto& causes = submission.files.at(kVersion).causes;
    return causes.empty() ? "nothing" : causes[0].file + ": " + causes[0].message;
  };
  fs::create_symlink("/etc/passwd", folder.path() / "helper.h");
  EXPECT_THAT(refused_for("helper.h"), HasSubstr("helper.h: helper.h is a symbolic link"));
  fs::create_symlink("/usr/include", folder.path() / "include");
  EXPECT_THAT(refused_for("include"), HasSubstr("symbolic link to a folder outside"));
  write("notes.txt", "");
  fs::create_hard_link(folder.path() / "notes.txt", folder.path() / "again.cuh");
  EXPECT_THAT(refused_for("again.cuh"), HasSubstr("hard link"));
  ASSERT_EQ(::mkfifo((folder.path() / "pipe.h").c_str(), 0600), 0);
  EXPECT_THAT(refused_for("pipe.h"),
              HasSubstr("pipe.h is not a regular file but a pipe, a socket or a device"));
  for (const char* name : {"-include.h", "quo\"te.h", "new\nline.h", "$(touch x).h"}) {
    write(name, "");
    EXPECT_THAT(refused_for(name), HasSubstr("rename it")) << name;
  }
  write("Icon\r", "");  // macOS
  EXPECT_EQ(cause_of(kVersion), "");
  for (const char* name : {"sub\\x.txt", "tab\tname", "tab\tfolder/x.txt"}) {
    write(name, "x");
    const std::string top = *fs::path(name).begin();
    EXPECT_THAT(taken_in().files.at(kVersion).causes.at(0).message, HasSubstr("rename it")) << name;
    fs::remove_all(folder.path() / top);
  }
  const std::string too_long = std::string(201, 'a') + ".h";
  write(too_long, "");
  EXPECT_THAT(refused_for(too_long.c_str()),
              HasSubstr("has a name of 203 bytes, more than the limit of 200"));
}

TEST_F(Intake, a_pipe_in_place_of_a_file_is_not_waited_for) {
  ASSERT_EQ(::mkfifo((folder.path() / "v07_tree_sequential.cu").c_str(), 0600), 0);
  EXPECT_EQ(cause_of(kVersion), "compile_error");
}

TEST_F(Intake, links_that_no_compiler_reads_do_no_harm) {
  write("v07_tree_sequential.cu", kAttempt);
  write("inside/helper.h", "");
  fs::create_symlink("/usr/bin/env", folder.path() / "python");
  fs::create_symlink("inside", folder.path() / "same");
  EXPECT_EQ(cause_of(kVersion), "");
}

TEST_F(Intake, a_folder_with_everything_in_it_is_refused) {
  write("v07_tree_sequential.cu", kAttempt);
  for (int i = 0; i < 20'000; ++i) fs::create_directory(folder.path() / std::to_string(i));
  const auto submission = take_in(folder.path(), reduction(), kRoot);
  ASSERT_FALSE(submission);
  EXPECT_THAT(submission.error().message, HasSubstr("more than 20000 files and folders"));
}

TEST_F(Intake, an_untouched_stub_is_not_implemented) {
  write("v07_tree_sequential.cu", stub(kVersion));
  EXPECT_EQ(cause_of(kVersion), "not_implemented");
}

TEST_F(Intake, a_stub_with_other_comments_and_layout_is_still_untouched) {
  write("v07_tree_sequential.cu", "// by Alice\r\n\n" + stub(kVersion) + "\n/* done? */\n");
  EXPECT_EQ(cause_of(kVersion), "not_implemented");
}

TEST_F(Intake, a_stub_with_one_more_token_is_an_attempt) {
  write("v07_tree_sequential.cu", stub(kVersion) + ";\n");
  EXPECT_EQ(cause_of(kVersion), "");
}

TEST_F(Intake, an_empty_file_is_an_attempt_for_the_compiler_to_judge) {
  write("v07_tree_sequential.cu", "");
  EXPECT_EQ(cause_of(kVersion), "");
}

TEST_F(Intake, a_given_version_may_stay_as_it_is) {
  write("v01_atomic_per_element.cu", stub("v01_atomic_per_element"));
  EXPECT_EQ(cause_of("v01_atomic_per_element"), "");
}

TEST_F(Intake, a_contract_of_ones_own_is_refused) {
  write("v07_tree_sequential.cu", kAttempt);
  write("reduction.h", "#pragma once\nusing value_t = char;\n");
  EXPECT_EQ(cause_of(kVersion), "compile_error");
  EXPECT_EQ(cause_of("v05_tree_modulo"), "not_implemented") << "what is missing stays missing";
  const Submission submission = taken_in();
  const Cause& cause = submission.files.at(kVersion).causes.front();
  EXPECT_EQ(cause.file, "reduction.h");
  EXPECT_THAT(cause.message, HasSubstr("remove it"));
}

TEST_F(Intake, a_copy_of_the_contract_does_no_harm) {
  write("v07_tree_sequential.cu", kAttempt);
  write("reduction.h", "// copied\n" + text_of(home_of("reduction").folder / "reduction.h"));
  EXPECT_EQ(cause_of(kVersion), "");
}

TEST_F(Intake, leaves_out_what_only_the_course_writes_unless_it_is_there) {
  Rubric rubric = reduction();
  rubric.versions.resize(2);
  rubric.versions[1].reference_only = true;
  EXPECT_EQ(versions_in(folder.path(), rubric).size(), 1U) << "an ordinary version stays, missing or not";
  write(rubric.versions[1].name + ".cu", kAttempt);
  EXPECT_EQ(versions_in(folder.path(), rubric).size(), 2U);
}

TEST_F(Intake, a_file_that_is_almost_a_version_is_named_and_not_graded) {
  write("v07_tree_sequental.cu", "int x;");
  const Submission submission = taken_in();
  const SubmittedFile& file = submission.files.at("v07_tree_sequential");
  ASSERT_FALSE(file.causes.empty());
  EXPECT_EQ(file.causes.front().kind, CauseKind::not_implemented);
  EXPECT_THAT(
      file.causes.front().message,
      HasSubstr("v07_tree_sequental.cu is not the name of a version; did you mean v07_tree_sequential.cu?"));
  EXPECT_THAT(submission.remarks, testing::SizeIs(1));
}

TEST_F(Intake, a_file_that_is_almost_a_version_is_taken_where_the_rubric_says_so) {
  write("v07_tree_sequental.cu", "int x;");
  Rubric rubric = reduction();
  rubric.takes_near_names = true;
  const auto submission = take_in(folder.path(), rubric, kRoot);
  ASSERT_TRUE(submission);
  const SubmittedFile& file = submission->files.at("v07_tree_sequential");
  EXPECT_THAT(file.causes, IsEmpty());
  EXPECT_EQ(file.name, "v07_tree_sequental.cu");
  EXPECT_EQ(file.text, "int x;");
  EXPECT_THAT(submission->remarks,
              testing::ElementsAre("v07_tree_sequental.cu was taken as v07_tree_sequential.cu"));
}

TEST(GivenHeaders, are_those_of_the_template_in_which_nothing_is_to_be_written) {
  const auto names = [](const std::string& assignment) {
    std::vector<std::string> all;
    for (const fs::path& header : given_headers(home_of(assignment)))
      all.push_back(header.filename().string());
    return all;
  };
  EXPECT_THAT(names("reduction"), testing::ElementsAre("atomic_add.h"));
  EXPECT_THAT(names("sort"), testing::ElementsAre("packed.h", "packed_host.h"));
  EXPECT_THAT(names("knn"), IsEmpty()) << "its headers are to be written";
  EXPECT_THAT(names("warmup"), IsEmpty());
}

TEST_F(Intake, says_which_header_of_the_assignment_is_taken_because_the_folder_lacks_it) {
  write("v07_tree_sequential.cu", kAttempt);
  EXPECT_THAT(taken_in().remarks, IsEmpty()) << "nothing includes it";
  write("v01_atomic_per_element.cu", "#include \"atomic_add.h\"\n");
  EXPECT_THAT(taken_in().remarks,
              testing::ElementsAre("atomic_add.h is not in the folder: the assignment's own was taken"));
  write("atomic_add.h", "#pragma once\n");
  EXPECT_THAT(taken_in().remarks, IsEmpty());
}

TEST_F(Intake, notes_the_given_headers_that_are_as_they_were_given) {
  const auto given = text_of(home_of("reduction").reference / "atomic_add.h");
  EXPECT_EQ(taken_in().given.at("atomic_add.h"), given) << "the folder lacks it";
  write("atomic_add.h", given);
  EXPECT_TRUE(taken_in().given.contains("atomic_add.h"));
  write("atomic_add.h", given + "// mine\n");
  EXPECT_THAT(taken_in().given, IsEmpty());
}

}  // namespace
}  // namespace warpmark::judge
