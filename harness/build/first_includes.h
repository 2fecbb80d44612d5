// What a source includes before all else, and may be parsed once for all sources that begin so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// The names of the `#include <name>` that stand before anything but comments, in order. A name with unusual
// characters ends the list, as does a directive that goes on in another line.
std::vector<std::string> first_includes(std::string_view source);

}  // namespace warpmark::build
