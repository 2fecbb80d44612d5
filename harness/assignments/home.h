// Where an assignment's files are. The assignments that come with the tool are folders like an instructor's
// own: nothing in the program names one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

struct AssignmentHome {
  std::string name;                 // the folder's name
  std::filesystem::path folder;     // contract, rules, the course's functions
  std::filesystem::path reference;  // the course's solutions
  std::filesystem::path stubs;  // what students start from; may not exist: then it is cut from the reference
  bool built_in = false;

  // Returns the file with the rules: assignment.toml.
  [[nodiscard]] std::filesystem::path rules() const;
};

// Variable with folders, separated by colons, whose subfolders are assignments.
inline constexpr const char* kSearchPath = "WARPMARK_ASSIGNMENTS";
// Name of the file that makes a folder an assignment.
inline constexpr const char* kAssignmentFile = "assignment.toml";

// Returns the assignments of the tool and of the search path, by name; the search path's come first and hide
// a built-in one of the same name. root: of the installation. Fails if the search path names no folder.
Result<std::vector<AssignmentHome>> all_assignments(const std::filesystem::path& root);

// Finds an assignment by its folder (if it contains a slash, or is a folder with an assignment.toml) or by
// name. The error lists the known names.
Result<AssignmentHome> find_assignment(const std::filesystem::path& root, const std::string& name_or_folder);

// Returns the name of the assignment that commands take if none is given: root's harness/assignments/default.
std::string default_assignment(const std::filesystem::path& root);

// Returns the text that students start from for one file of the reference. Fails on a reference-only file and
// bad markers.
Result<std::string> stub_of(const AssignmentHome& home, const std::string& file);

// Returns the headers of the reference that contain nothing to write: students may include them without
// having them.
std::vector<std::filesystem::path> given_headers(const AssignmentHome& home);

}  // namespace warpmark
