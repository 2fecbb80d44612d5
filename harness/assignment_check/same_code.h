// Decides whether a mutant compiles to the same code as the solution, so that no input can tell the two
// apart.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"

namespace warpmark::assignment_check {

// Device and host code of a library or program that was built for the simulator, without source locations, so
// that two of them can be compared.
struct Code {
  std::string device;  // optimised PTX
  std::string host;    // host machine code and constants, from the library's ELF sections
  bool operator==(const Code&) const = default;
};

// Reads a library's or program's code. Fails if the file is not an ELF file with device code for the
// simulator.
Result<Code> code_of(const std::filesystem::path& library);

// Returns PTX without debug information, file names and comments.
std::string without_places(std::string_view ptx);

}  // namespace warpmark::assignment_check
