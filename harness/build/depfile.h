// The list of files that a compiler read (-MD), in make's notation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// The prerequisites in order, each once, unescaped ("\ " and "\#" and "$$", as clang and g++ write them).
std::vector<std::string> files_of_depfile(std::string_view text);

}  // namespace warpmark::build
