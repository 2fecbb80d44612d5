// Parses the list of files that a compiler read (-MD), in make's syntax.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// Returns the prerequisites in order, without duplicates, unescaped ("\ ", "\#" and "$$", as clang and g++
// write them).
std::vector<std::string> files_of_depfile(std::string_view text);

}  // namespace warpmark::build
