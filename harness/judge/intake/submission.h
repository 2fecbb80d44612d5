// Intake: turns a folder into a submission of one assignment. Reads files, executes nothing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// One file that the assignment expects, as found.
struct SubmittedFile {
  std::filesystem::path path;  // absolute; may not exist
  std::string name;            // "v07_tree_sequential.cu"
  std::string text;            // empty if there are causes
  std::vector<Cause>
      causes;  // not_implemented (missing, or the template's own tokens), compile_error (unreadable)
};

struct Submission {
  std::filesystem::path folder;  // absolute
  std::string name;              // the folder's name, or "reference/reduction" for the course's own
  std::string hash;              // SHA-256 over names and contents of all files
  std::map<std::string, SubmittedFile> files;  // by version name; the upload file by its function's name
  std::vector<std::string> remarks;            // on near-matching file names, and on missing headers
};

// Recognises the assignment from the folder's files. The error names the candidates, or the expected files.
Result<std::string> recognise_assignment(const std::filesystem::path& folder,
                                         const std::filesystem::path& root);

// Returns the versions that apply to the folder: a reference-only version without a file is left out.
std::vector<VersionRule> versions_in(const std::filesystem::path& folder, const Rubric& rubric);

// Reads the files of those versions. Fails if the folder is unreadable; a missing or unreadable file affects
// only its own version.
Result<Submission> take_in(const std::filesystem::path& folder, const Rubric& rubric,
                           const std::filesystem::path& root);

// Returns the headers that the assignment gives out complete: the template's headers that contain nothing to
// write. A submission may include them whether or not it contains them.
std::vector<std::filesystem::path> given_headers(const std::filesystem::path& root,
                                                 const std::string& assignment);

// Returns the rubric reduced to the versions in the submission.
Rubric rubric_for(const Submission& submission, Rubric rubric);

}  // namespace warpmark::judge
