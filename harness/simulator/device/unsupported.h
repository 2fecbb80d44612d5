// Finds device code in a library that the simulator cannot run, by decoding the code without running it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::simulator {

// `library` is the contents of an executable or shared library with embedded device code (format:
// both/fat_binary.h). Returns the first unsupported instruction or function, or the reason why the code
// cannot be decoded; nullopt if everything is supported. Malformed embedded files are skipped, because a
// submission's own data may resemble the format's magic string.
std::optional<std::string> unsupported_in(std::string_view library);

}  // namespace warpmark::simulator
