// Parsers of compilers' --version output, as pure functions without processes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::build {

// Returns "14.0.6" from the output of `clang++ --version`; nullopt if it comes from another compiler.
std::optional<std::string> clang_version(std::string_view output);

// Returns "13.0" from the output of `nvcc --version`; nullopt if it comes from `warpmark nvcc`, which makes
// programs for the simulator.
std::optional<std::string> nvcc_version(std::string_view output);

// Returns the major version of a compiler: the number before the first dot.
int major_version(std::string_view version);

}  // namespace warpmark::build
