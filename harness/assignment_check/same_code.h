// Decides whether a mutant compiles to the same code as the solution, so that no input can tell the two
// apart.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace warpmark::assignment_check {

// Device and host code of a library that was built for the simulator, without source locations, so that two
// libraries can be compared.
struct Code {
  std::string device;  // optimised PTX
  std::string host;    // host machine code and constants, from the library's ELF sections
  bool operator==(const Code&) const = default;
};

// Reads a library's code. Fails if the file is not an ELF library that was built for the simulator.
Result<Code> code_of(const std::filesystem::path& library);

// Returns PTX without debug information, file names and comments.
std::string without_places(std::string_view ptx);

}  // namespace warpmark::assignment_check
