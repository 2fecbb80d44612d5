// Helpers shared by compile*.cpp, which run the compilers.
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

// Limits clang's error output, and sets the compilation directory of the debug information to ".", so that
// objects do not differ from machine to machine.
inline const Arguments kClangOutput{"-ferror-limit=20", "-fno-color-diagnostics",
                                    "-fdebug-compilation-dir=."};

Arguments joined(std::initializer_list<Arguments> parts);

// Returns the compiler's -D flags for one source, among them WARPMARK_VALUE, the element type.
Arguments define_flags(const Request& request);

// Returns the flags that make the compiler write the names of all files that it reads to `file`, in make's
// syntax.
Arguments depfile_flags(const std::filesystem::path& file);

// Makes a build step's result from a compiler run: if the run succeeded (`refused` is nullopt), returns
// `compiled` plus the files listed in `depfiles`, otherwise the failed pass or the error. An unreadable
// depfile is an error, because the compiler has just written that file.
Result<Compilation> compilation_of(Result<std::optional<FailedPass>> refused, Compiled compiled,
                                   std::initializer_list<std::filesystem::path> depfiles);

// Returns the flags for g++, or for clang if the engine is a sanitizer.
Arguments host_flags(Engine engine);
Result<Compilation> compile_for_host(const Toolchain& toolchain, const Settings& settings,
                                     const Request& request, const Workspace& workspace);

}  // namespace warpmark::build
