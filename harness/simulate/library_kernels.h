// Kernels of the libraries that the simulator has of its own (harness/simulator/include): how they are named
// to a program's author, who wrote none of them.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::simulate {

bool is_library_kernel(std::string_view kernel);

// "Multiply (cuBLAS)" for warpmark_blas::blas<warpmark_blas::Multiply<float, ...> >; any other name as it is.
std::string shown_kernel(std::string_view kernel);

// A message in which such kernels have these names, and lines of their headers are left out.
std::string shown_message(std::string message);

// Whether a file is a header of such a library, or of thrust.
bool is_library_file(std::string_view file);

}  // namespace warpmark::simulate
