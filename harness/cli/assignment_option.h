// The options of commands that write what belongs to one assignment.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/base/error.h"

namespace warpmark::cli {

struct AssignmentOption {
  std::string assignment;
  std::string rubric;
};

// "extremes, reduction, warmup"
std::string known_assignments();

// `name`, if there is such an assignment; the error names those that there are.
Result<std::string> known_assignment(const std::string& name);

// The one that was asked for; without --assignment `reduction`, which is said on stdout with the others'
// names.
Result<std::string> chosen_assignment(const AssignmentOption& option);

void add_assignment_options(CLI::App& command, AssignmentOption& option);

}  // namespace warpmark::cli
