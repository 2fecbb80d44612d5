// Reads from an ELF file what a shared library defines, needs and runs at load time, without loading it:
// loading would run its constructors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::build {

// Symbol names are mangled; each list is sorted.
struct Symbols {
  std::vector<std::string> exported;      // functions that the library exports
  std::vector<std::string> undefined;     // symbols that other libraries must define
  std::vector<std::string> resolvers;     // ifuncs, whose resolver in the library runs at load time
  std::vector<std::string> constructors;  // functions that run when the library is loaded; "?" if unnamed
  std::vector<std::string> destructors;   // functions that run when the library is unloaded
};

// Fails if the file is not an ELF shared library for this machine.
Result<Symbols> symbols_of(const std::filesystem::path& library);

}  // namespace warpmark::build
