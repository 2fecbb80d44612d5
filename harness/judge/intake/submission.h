// Reads a folder as a student's submission for one assignment. Executes nothing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// One file that the assignment expects from a student; may be missing.
struct SubmittedFile {
  std::filesystem::path path;  // absolute path of a student's file, which may not exist
  std::string name;            // file name, such as "v07_tree_sequential.cu"
  std::string text;            // contents of a student's file; empty if it cannot be graded
  // Why a student's file cannot be graded: not_implemented (missing, or unchanged from the file given to
  // students) or compile_error (unreadable). Empty if the file can be graded.
  std::vector<Cause> causes;
};

struct Submission {
  std::filesystem::path folder;  // absolute path of the submission
  std::string name;              // the folder's name, or "reference/reduction" for the course's own
  std::string hash;              // SHA-256 over names and contents of a submission's files
  // submitted files, keyed by the name of the function in the file
  std::map<std::string, SubmittedFile> files;
  // Texts of the headers that students are given complete, by name, as far as the submission left them so: a
  // mistake shows in them, and is made elsewhere.
  std::map<std::string, std::string> given = {};
  std::vector<std::string> remarks;  // messages about near-matching file names and missing headers
};

// Recognises a submission's assignment from the names of the files in its folder. The error names the
// candidates, or the expected files.
Result<AssignmentHome> recognise_assignment(const std::filesystem::path& folder,
                                            const std::filesystem::path& root);

// Returns the rubric's kernel files that are graded for a submission's folder: all but the reference_only
// ones (which only the course's solution needs to contain) that the folder lacks.
std::vector<VersionRule> versions_in(const std::filesystem::path& folder, const Rubric& rubric);

// Reads the submission. Fails if the folder is unreadable; a missing or unreadable kernel file affects only
// its own checks.
Result<Submission> take_in(const std::filesystem::path& folder, const Rubric& rubric,
                           const std::filesystem::path& root);

// Returns the rubric reduced to the kernel files in the submission.
Rubric rubric_for(const Submission& submission, Rubric rubric);

}  // namespace warpmark::judge
