// Recognises kernels of the simulator's replacement libraries (harness/simulator/further).
#pragma once

#include <string>

namespace warpmark::simulator {

// True if the kernel (a mangled name) belongs to a replacement library and none of its template arguments is
// a function or type of the program.
bool is_library_code_alone(const std::string& kernel);

}  // namespace warpmark::simulator
