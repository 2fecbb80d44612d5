// Helpers shared by the compiler runs; internal to compile*.cpp.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/compile.h"

namespace warpmark::build {

using Arguments = std::vector<std::string>;

// Limits clang's error output, and sets the compilation directory of the debug information to ".", so that it
// does not differ from machine to machine.
inline const Arguments kClangOutput{"-ferror-limit=20", "-fno-color-diagnostics",
                                    "-fdebug-compilation-dir=."};

Arguments joined(std::initializer_list<Arguments> parts);

// Returns the -D flags of a request, including the one for the value type.
Arguments define_flags(const Request& request);

// Returns the flags that make the compiler write the list of files that it reads.
Arguments depfile_flags(const std::filesystem::path& file);

// Returns the compilation that ends with a run: `compiled` with the files that its depfiles name or, if the
// run was refused, what it returned. An unreadable depfile is our own fault, because the compiler has just
// written it.
Result<Compilation> compilation_of(Result<std::optional<FailedPass>> refused, Compiled compiled,
                                   std::initializer_list<std::filesystem::path> depfiles);

// Returns the flags for g++, or for clang with a sanitizer.
Arguments host_flags(Engine engine);
Result<Compilation> compile_for_host(const Toolchain& toolchain, const Settings& settings,
                                     const Request& request, const Workspace& workspace);

}  // namespace warpmark::build
