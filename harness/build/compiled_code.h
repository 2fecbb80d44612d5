// The code that a source was compiled to, so that two builds can be compared.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::build {

// Device and host code of a library or program that was built for the simulator, without source locations.
struct Code {
  std::string device;  // optimised PTX
  std::string host;    // host machine code and constants, from the library's ELF sections
  bool operator==(const Code&) const = default;
};

// Reads a library's or program's code. Fails if the file is not an ELF file with device code for the
// simulator. Only for the course's own: takes memory in proportion to what the section headers claim.
Result<Code> code_of(const std::filesystem::path& library);

// Reads the device code alone, in memory and time proportional to the file: also for a student's library.
Result<std::string> optimised_ptx_of(const std::filesystem::path& library);

// Returns the digests (harness/simulator/both/fat_binary.h) of a library's modules of device code; none if
// the file cannot be read. Time proportional to the file.
std::vector<std::string> modules_of(const std::filesystem::path& library);

// Returns PTX without debug information, file names and comments.
std::string without_places(std::string_view ptx);

// Returns PTX in which each kernel, function and variable that it defines has a number, in order of first
// appearance, in place of its name.
std::string without_names(std::string_view ptx);

}  // namespace warpmark::build
