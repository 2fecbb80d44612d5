// Rewrites kernel launches in device code (dynamic parallelism), which clang rejects, into macros that clang
// accepts (defined in harness/simulator/include/warpmark_cuda/device/device_launches.h).
#pragma once

#include <string>
#include <string_view>

namespace warpmark::build {

// Returns true if a kernel or device function of the source launches a kernel.
bool has_device_launches(std::string_view source);

// Returns the source with its device-side launches rewritten and the same number of lines. Either all sources
// and headers of a program must be rewritten, or none.
std::string spell_device_launches(std::string_view source);

}  // namespace warpmark::build
