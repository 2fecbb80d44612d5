// Selects the files of a folder that may belong to a submission: regular files with ordinary names, inside
// the folder. Inspects directory entries only and reads no contents.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::judge {

// Returns the reason why a source file may not have this name; empty if it may. Directories may have any
// name.
std::string fault_of_name(const std::string& name);

// A directory entry that would lead a compiler out of the folder, or block it (a link, a pipe, a device).
struct RefusedFile {
  std::string name;  // path of a refused directory entry, relative to the submission's folder
  std::string why;   // why a submission's directory entry is refused, with the remedy
};

struct Intake {
  // Absolute paths, sorted, of all files that could become part of a library: every file that is not hidden,
  // because a source may include a file with any extension.
  std::vector<std::filesystem::path> files;
  std::vector<RefusedFile> refused;  // entries of a submission's folder that are refused, sorted by name
};

// Scans a submission's folder recursively. Fails if the folder is unreadable or has too many entries or
// bytes.
Result<Intake> look_through(const std::filesystem::path& folder);

}  // namespace warpmark::judge
