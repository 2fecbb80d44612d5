// What CUDA has and the simulator does not, and which libraries it does, by names that are ours: a submission
// cannot add one.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/build/diagnostics.h"

namespace warpmark::build {

// NVIDIA's libraries that are simulated, by what their headers' and their files' names begin with.
inline constexpr std::array<std::string_view, 5> kSimulatedLibraries{"cublas", "cufft", "curand", "cusolver",
                                                                     "cusparse"};

// Which of them an error of the simulator's compiler or linker is about; nothing when it is about something
// else.
std::optional<std::string> not_simulated(const Diagnostic& diagnostic);

// All that the errors of an output are about, each once, in order.
std::vector<std::string> all_not_simulated(std::string_view output);

// The headers of CUDA's toolkit that a source includes, simulated or not. A compiler stops at the first that
// it does not find.
std::vector<std::string> toolkit_headers_in(std::string_view source);

}  // namespace warpmark::build
