// Launches from kernels, which clang refuses: the spelling in which it takes them
// (harness/simulator/include/warpmark_cuda/device_launches.h says what the words mean).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::build {

// Whether a kernel or device function of the text launches one.
bool has_device_launches(std::string_view source);

// With as many lines. All sources and headers of a program have to be spelled so, or none.
std::string spell_device_launches(std::string_view source);

}  // namespace warpmark::build
