// Worked examples that a new assignment begins with, in harness/assignment_check/shapes: a folder each, with
// assignment_name in names and texts of files where the assignment's name goes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::assignment_check {

inline constexpr const char* kDefaultShape = "vector";

// Returns the names of the shapes, sorted. root: of the installation.
std::vector<std::string> shapes(const std::filesystem::path& root);

// Writes a new assignment into the folder `into`/`name` and returns its path. Fails, without writing, if the
// folder exists, or the name is not lower-case letters, digits and _ with a letter first: the contract's
// function type is called name_fn.
Result<std::filesystem::path> write_assignment(const std::filesystem::path& root, const std::string& name,
                                               const std::string& shape, const std::filesystem::path& into);

}  // namespace warpmark::assignment_check
