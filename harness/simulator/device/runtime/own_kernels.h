// Recognises kernels of the simulator's own libraries (harness/simulator/further).
#pragma once

#include <string>

namespace warpmark::simulator {

// True if the kernel, given by its mangled name, belongs to our libraries and is not instantiated with any
// function or type of the program.
bool is_library_code_alone(const std::string& kernel);

}  // namespace warpmark::simulator
