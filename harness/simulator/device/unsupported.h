// Finds what the simulator cannot run in a library's device code, without running it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::simulator {

// library: the contents of a program or shared library with embedded files in the format of
// both/fat_binary.h. Malformed ones are skipped, because a submission's own data may look like their
// beginning. Returns the first unsupported instruction or function, or why the code cannot be read; nullopt
// if all can be run.
std::optional<std::string> unsupported_in(std::string_view library);

}  // namespace warpmark::simulator
