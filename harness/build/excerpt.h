// Extracts the source lines around an error, for display in a report.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark::build {

// Returns the source lines around line number `line`; long lines are truncated.
std::vector<SourceLine> excerpt_of(const std::string& text, int line);

}  // namespace warpmark::build
