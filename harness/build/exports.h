// The functions that a shared library defines, read from its file: loading it would run its constructors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::build {

// Names as the linker sees them (mangled), sorted. Fails when the file is no ELF shared library for this
// machine.
Result<std::vector<std::string>> exported_functions(const std::filesystem::path& library);

}  // namespace warpmark::build
