// Tells whether a changed source compiles to the code of the solution, so that no input can tell the two
// apart.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace warpmark::assignment_check {

// The code in a library for the simulator, without names of places in the source.
struct Code {
  std::string device;  // optimised PTX
  std::string host;    // machine code and constants
  bool operator==(const Code&) const = default;
};

// Reads a library's code. Fails if the file is not an ELF library that was built for the simulator.
Result<Code> code_of(const std::filesystem::path& library);

// Returns PTX without debug information, file names and comments.
std::string without_places(std::string_view ptx);

}  // namespace warpmark::assignment_check
