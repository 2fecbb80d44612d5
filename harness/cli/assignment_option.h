// Options shared by the commands that generate files for one assignment.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/base/error.h"

namespace warpmark::cli {

struct AssignmentOption {
  std::string assignment;
  std::string rubric;
};

// Returns the names of all assignments: "extremes, reduction, warmup".
std::string known_assignments();

// Returns `name` if there is an assignment of that name; the error lists the known ones.
Result<std::string> known_assignment(const std::string& name);

// Returns the requested assignment. Without --assignment it is `reduction`, and a note on stdout lists the
// others.
Result<std::string> chosen_assignment(const AssignmentOption& option);

void add_assignment_options(CLI::App& command, AssignmentOption& option);

}  // namespace warpmark::cli
