// Recognises CUDA features and libraries that the simulator lacks, by fixed lists of names that a submission
// cannot extend.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/build/diagnostics.h"

namespace warpmark::build {

// Prefixes of the header and file names of the NVIDIA libraries that are simulated.
inline constexpr std::array<std::string_view, 5> kSimulatedLibraries{"cublas", "cufft", "curand", "cusolver",
                                                                     "cusparse"};

// Returns the unsupported feature or library that caused a compiler or linker error; nullopt for other
// errors.
std::optional<std::string> not_simulated(const Diagnostic& diagnostic);

// Returns the unsupported features and libraries of all errors in the output, in order, without duplicates.
std::vector<std::string> all_not_simulated(std::string_view output);

// Returns the CUDA toolkit headers that a source includes, simulated or not. The compiler's output alone does
// not suffice, because it stops at the first missing header.
std::vector<std::string> toolkit_headers_in(std::string_view source);

// Returns true if a file of C or C++ must be compiled as CUDA, because it includes a library's header that
// the simulator implements as kernels or C++.
bool needs_cuda_compiler(std::string_view source);

}  // namespace warpmark::build
