// What the runs of all compilers have in common; for compile*.cpp alone.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/compile.h"

namespace warpmark::build {

using Arguments = std::vector<std::string>;

// What clang says at most, and the debug information's "where": a name of its own for every machine.
inline const Arguments kClangOutput{"-ferror-limit=20", "-fno-color-diagnostics",
                                    "-fdebug-compilation-dir=."};

Arguments joined(std::initializer_list<Arguments> parts);

// The value type and what else a request defines.
Arguments define_flags(const Request& request);

// The compiler lists the files that it reads.
Arguments depfile_flags(const std::filesystem::path& file);

// Adds what such a list names and `files` lacks. The compiler wrote it just now, so that failing is our
// fault.
Result<void> add_files(const std::filesystem::path& depfile, std::vector<std::string>& files);

// Of g++, or of clang with a sanitizer.
Arguments host_flags(Engine engine);
Result<std::variant<Compiled, FailedPass>> compile_for_host(const Toolchain& toolchain,
                                                            const Settings& settings, const Request& request,
                                                            const Workspace& workspace);

}  // namespace warpmark::build
