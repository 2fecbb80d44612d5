// Reads from an ELF file what a shared library defines, needs and runs at load time, without loading it:
// loading would run its constructors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::build {

// Symbols of an ELF shared library by role: mangled names, sorted.
struct Symbols {
  std::vector<std::string> exported;  // functions that the shared library exports
  // Undefined symbols of the shared library, which other libraries must define.
  std::vector<std::string> undefined;
  // The shared library's ifuncs, whose resolver functions run at load time.
  std::vector<std::string> resolvers;
  std::vector<std::string> constructors;  // functions that run when the library is loaded; "?" if unnamed
  std::vector<std::string> destructors;   // functions that run when the library is unloaded
};

// Reads an ELF shared library's symbols without loading it; fails if the file is not one for this machine.
Result<Symbols> symbols_of(const std::filesystem::path& library);

}  // namespace warpmark::build
