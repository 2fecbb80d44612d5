// Paths of an assignment's files. The assignments that come with the tool are folders like an instructor's
// own: no assignment's name is built into the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

struct AssignmentHome {
  std::string name;                 // the assignment's name: that of its folder
  std::filesystem::path folder;     // folder of the contract header, assignment.toml, the course's functions
  std::filesystem::path reference;  // folder of the assignment's solutions, written by the course
  // Folder of the files students start from; if it does not exist, they are cut from the reference solutions.
  std::filesystem::path stubs;
  bool built_in = false;

  // Returns the file with the rules: assignment.toml.
  [[nodiscard]] std::filesystem::path rules() const;
};

// Environment variable: folders, separated by colons, whose subfolders are assignments.
inline constexpr const char* kSearchPath = "WARPMARK_ASSIGNMENTS";
// Name of the file that makes a folder an assignment.
inline constexpr const char* kAssignmentFile = "assignment.toml";

// Returns all assignments: those of the search path WARPMARK_ASSIGNMENTS first, which hide built-in ones of
// the same name, then those of the installation at `root`. Fails if a folder of the search path does not
// exist.
Result<std::vector<AssignmentHome>> all_assignments(const std::filesystem::path& root);

// Finds an assignment by its folder (if it contains a slash, or is a folder with an assignment.toml) or by
// name. The error lists the known names.
Result<AssignmentHome> find_assignment(const std::filesystem::path& root, const std::string& name_or_folder);

// Returns the name of the assignment that commands use by default, read from harness/assignments/default
// below `root`.
std::string default_assignment(const std::filesystem::path& root);

// Returns the text that students start from, cut from one file of the reference solutions. Fails on a file
// marked reference-only and on bad markers.
Result<std::string> stub_of(const AssignmentHome& home, const std::string& file);

// Returns the headers among the reference solutions that leave nothing to write: students may include them
// without having a copy.
std::vector<std::filesystem::path> given_headers(const AssignmentHome& home);

}  // namespace warpmark
