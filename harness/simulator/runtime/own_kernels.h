// Kernels of the libraries that the simulator has of its own (harness/simulator/include).
#pragma once

#include <string>

namespace warpmark::simulator {

// Whether such a kernel has nothing of a program's in it: none of its functions, none of its types. "kernel"
// is a mangled name.
bool is_library_code_alone(const std::string& kernel);

}  // namespace warpmark::simulator
