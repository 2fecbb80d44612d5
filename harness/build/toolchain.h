// The parts of find_toolchain that are functions of text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::build {

// "14.0.6" of `clang++ --version`; empty when another compiler answered.
std::optional<std::string> clang_version(std::string_view output);

// "13.0" of `nvcc --version`.
std::optional<std::string> nvcc_version(std::string_view output);

// The number before the first dot.
int major_version(std::string_view version);

}  // namespace warpmark::build
