// The system headers at the start of a source, which can be precompiled for all sources with the same start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// Returns the names of the `#include <name>` that precede everything but comments, in order. The list ends at
// a name with unusual characters and at a directive that continues on the next line.
std::vector<std::string> first_includes(std::string_view source);

}  // namespace warpmark::build
