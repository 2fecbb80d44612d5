// Helpers shared by compile*.cpp, which run the compilers.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/compile.h"
#include "harness/build/compiler.h"

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

// OpenMP flag of a host pass: nvcc passes -fopenmp to the host compiler alone. Incompatible with the
// precompiled headers.
inline const Arguments kOpenMp{"-fopenmp"};
// Returns kOpenMp if the source uses OpenMP, otherwise no flag.
Arguments openmp_flags(const Workspace& workspace);

// Files of a build's folder: the object that clang's host pass writes, and the names of the files it read.
inline constexpr const char* kHostObject = "object.o";
inline constexpr const char* kHostDepfile = "host.d";

// Returns the arguments of clang's host pass over a .cu file. device_code: file of device code to embed.
Arguments host_pass(const Request& request, const Workspace& workspace,
                    const std::filesystem::path& device_code, const Precompiled& precompiled);

// Links an object of a host pass into a library, against the runtime library that `settings` name; with a
// directly run linker (gold or lld), which is faster than the compiler driver. If that fails, links again
// through the driver, whose result and error message count.
Result<std::optional<FailedPass>> link_library(const Compiler& clang, const Linker& linker,
                                               const std::filesystem::path& object,
                                               const std::filesystem::path& library, const Settings& settings,
                                               const Arguments& more);

// nvcc's flags that do not depend on the source.
Arguments gpu_flags();
Result<Compilation> compile_for_gpu(const Toolchain& toolchain, const Settings& settings,
                                    const Request& request, const Workspace& workspace, const Quick& quick);
// Copies objects of the cache to files in `folder` that end in .o: nvcc links the device code of no others.
Result<std::vector<std::filesystem::path>> named_as_objects(const std::vector<std::filesystem::path>& objects,
                                                            const std::filesystem::path& folder);
// Returns the arguments that link a program's objects for a GPU or the CPU, natively.
Arguments native_link_arguments(const Toolchain& toolchain, const Settings& settings,
                                const std::vector<std::filesystem::path>& objects,
                                const std::filesystem::path& program, const Arguments& openmp);

// Returns the flags for g++, or for clang if the engine is a sanitizer.
Arguments host_flags(Engine engine);
Result<Compilation> compile_for_host(const Toolchain& toolchain, const Settings& settings,
                                     const Request& request, const Workspace& workspace);

}  // namespace warpmark::build
