// What of a folder may count as a submission: regular files with ordinary names, inside the folder. Looks at
// entries and reads nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::judge {

// Why no source file may have this name; empty when it may. A folder may have any.
std::string fault_of_name(const std::string& name);

// An entry that a compiler would follow out of the folder, or wait at.
struct RefusedFile {
  std::string name;  // relative to the folder
  std::string why;   // a sentence with the remedy
};

struct Intake {
  // Absolute, sorted: what could go into a library. A source may include a file of any
  // ending, but no hidden one.
  std::vector<std::filesystem::path> files;
  std::vector<RefusedFile> refused;  // sorted by name
};

// Fails when the folder cannot be read, or holds too many entries or bytes.
Result<Intake> look_through(const std::filesystem::path& folder);

}  // namespace warpmark::judge
