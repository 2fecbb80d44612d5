// Command-line options --assignment and --rubric, shared by all commands that generate files for one
// assignment.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace warpmark::cli {

struct AssignmentOption {
  std::string assignment;
  std::string rubric;
};

// Returns the names of all assignments: "extremes, reduction, warmup".
std::string known_assignments(const std::filesystem::path& root);

// Returns the requested assignment. Without --assignment it is the default one, and a note on stdout lists
// the others.
Result<std::string> chosen_assignment(const AssignmentOption& option, const std::filesystem::path& root);

void add_assignment_options(CLI::App& command, AssignmentOption& option, const std::filesystem::path& root);

}  // namespace warpmark::cli
