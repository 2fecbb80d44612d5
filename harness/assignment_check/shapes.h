// Worked examples ("shapes") from which new assignments are created. Each is a folder in
// harness/assignment_check/shapes, in whose file names and texts assignment_name stands for the new name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::assignment_check {

inline constexpr const char* kDefaultShape = "vector";

// Returns the sorted names of the shapes, the worked examples from which assignments are created. root:
// folder of the Warpmark installation.
std::vector<std::string> shapes(const std::filesystem::path& root);

// Writes a new assignment into the folder `into`/`name` and returns its path. Fails, without writing, if the
// folder exists, or the name is not lower-case letters, digits and _ with a letter first: the contract's
// function type is called name_fn.
Result<std::filesystem::path> write_assignment(const std::filesystem::path& root, const std::string& name,
                                               const std::string& shape, const std::filesystem::path& into);

}  // namespace warpmark::assignment_check
