// Intake: a folder becomes a submission of one assignment. Reads files, runs nothing.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// One file that the assignment asks for, as it was found.
struct SubmittedFile {
  std::filesystem::path path;  // absolute; may not exist
  std::string name;            // "v07_tree_sequential.cu"
  std::string text;            // empty when there are causes
  std::vector<Cause>
      causes;  // not_implemented (missing, or the template's own tokens), compile_error (unreadable)
};

struct Submission {
  std::filesystem::path folder;                // absolute
  std::string name;                            // the folder's, or "reference/reduction" for the course's own
  std::string hash;                            // SHA-256 over names and contents of its files
  std::map<std::string, SubmittedFile> files;  // by version, and the upload file by its function's name
  std::vector<std::string> remarks;            // about names that are almost versions', and headers that lack
};

// The assignment that a folder belongs to, told by its files. The error names the candidates or the files
// expected.
Result<std::string> recognise_assignment(const std::filesystem::path& folder,
                                         const std::filesystem::path& root);

// The versions that apply to a folder: one that is reference only and not there is left out.
std::vector<VersionRule> versions_in(const std::filesystem::path& folder, const Rubric& rubric);

// The files of those versions. Fails when the folder cannot be read. A file that is missing or unreadable
// costs only itself.
Result<Submission> take_in(const std::filesystem::path& folder, const Rubric& rubric,
                           const std::filesystem::path& root);

// Headers that students get whole: those of the template in which nothing is to be written, which the
// reference holds unchanged. Whatever a submission holds besides, it may include them.
std::vector<std::filesystem::path> given_headers(const std::filesystem::path& root,
                                                 const std::string& assignment);

// The rubric with the versions that the submission was asked for.
Rubric rubric_for(const Submission& submission, Rubric rubric);

}  // namespace warpmark::judge
