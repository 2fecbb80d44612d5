// What a shared library defines, needs and runs when it is loaded, read from its file: loading it would run
// its constructors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::build {

// Names as the linker sees them (mangled), each list sorted.
struct Symbols {
  std::vector<std::string> exported;      // functions that others can call
  std::vector<std::string> undefined;     // what others have to define
  std::vector<std::string> resolvers;     // ifuncs: a function of the library chooses when it is loaded
  std::vector<std::string> constructors;  // run when it is loaded; "?" for one without a name
  std::vector<std::string> destructors;   // run when it is unloaded
};

// Fails when the file is no ELF shared library for this machine.
Result<Symbols> symbols_of(const std::filesystem::path& library);

}  // namespace warpmark::build
