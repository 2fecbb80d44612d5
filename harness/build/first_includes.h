// Finds the system headers at the start of a source: sources with the same start can share one precompiled
// header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// Returns the names of the `#include <name>` directives that precede everything but comments, in order. Stops
// at a name with unusual characters and at a directive that continues on the next line.
std::vector<std::string> first_includes(std::string_view source);

}  // namespace warpmark::build
