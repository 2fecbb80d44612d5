// The part of a source file that a report shows.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark::build {

// The lines around one of a text; long ones are cut.
std::vector<SourceLine> excerpt_of(const std::string& text, int line);

}  // namespace warpmark::build
