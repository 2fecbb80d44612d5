// Readable names for kernels of the simulator's own libraries (harness/simulator/include,
// harness/simulator/further), which the user did not write.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::program_analysis {

bool is_library_kernel(std::string_view kernel);

// Returns "Multiply (cuBLAS)" for warpmark_blas::blas<warpmark_blas::Multiply<float, ...> >; other names are
// returned unchanged.
std::string shown_kernel(std::string_view kernel);

// Returns a finding's message with the template names of library kernels replaced by readable ones
// (shown_kernel()), and without the lines that name library headers.
std::string shown_message(std::string message);

// Returns true if the file is a header of one of the simulator's libraries or of Thrust.
bool is_library_file(std::string_view file);

}  // namespace warpmark::program_analysis
