// Compiles and links one source: with one run of nvcc or g++, or for the simulator with two device passes, a
// host pass and a linker run of clang.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/builder.h"
#include "harness/build/compiler.h"
#include "harness/build/linker.h"
#include "harness/build/workspace.h"

namespace warpmark::build {

struct Compiled {
  // Path of the shared library or object that the compiler wrote, inside the build's temporary folder.
  std::filesystem::path library;
  // Every file that the compiler read for this source, as named by the compiler.
  std::vector<std::string> files;
  std::string warnings{};  // compiler warnings to show to the user, one per line; empty after linking
};

using Compilation = std::variant<Compiled, FailedPass>;

// Precompiled headers that every simulator source includes first, one file per compiler pass; an empty path
// means that the pass has none.
struct Precompiled {
  std::filesystem::path checking, counting, host;

  [[nodiscard]] bool empty() const { return checking.empty() && counting.empty() && host.empty(); }
};

// How clang compiles the host code of a GPU's library.
struct HostHalf {
  Toolchain clang;
  Settings settings;             // whose simulator_library is NVIDIA's runtime
  std::filesystem::path folder;  // in which the compile server works; empty: none is running
};

// Optional means of speeding up builds for the simulator and the GPU; the result is the same without them.
struct Quick {
  Precompiled headers;
  Linker linker;
  const CompileServer* server = nullptr;
  std::optional<HostHalf> host_half = std::nullopt;  // gpu only

  [[nodiscard]] bool any() const { return server != nullptr || linker || !headers.empty(); }
};

// Links object files into a program, with the simulator's runtime if they are for the simulator; returns
// nullopt on success. folder: receives the compiler's temporary files.
Result<std::optional<FailedPass>> link_program(const Toolchain& toolchain, const Settings& settings,
                                               const std::vector<std::filesystem::path>& objects,
                                               const std::filesystem::path& program,
                                               const std::filesystem::path& folder);

// Returns the sandbox in which clang compiles one source for the simulator: the paths that it may read and
// write.
sandbox::Box simulator_box(const Toolchain& toolchain, const Settings& settings, const Request& request,
                           const Workspace& workspace, const Precompiled& precompiled);

// Returns a linker that links simulator libraries faster than the compiler driver does, or an empty Linker if
// none is installed.
Linker quick_linker(const Toolchain& toolchain, const Settings& settings);

// Returns the compiler flags of an engine that do not depend on the source; they are part of every cache key,
// so that changed flags cause a rebuild.
std::vector<std::string> fixed_flags(Engine engine);

// Returns the clang flags of a program's .cu file beside those of clang_flags.h: macros of nvcc, and names
// that CUDA removed.
std::vector<std::string> program_flags();

// Compiles one source for its engine. A compiler error is returned as a FailedPass in the result; an Error is
// returned only for faults of this program or machine.
Result<Compilation> compile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                            const Workspace& workspace, const Quick& quick);

// Precompiles the headers that every simulator source includes first, for one of the compiler passes (-O0
// PTX, -O2 PTX, host); `more` lists system headers to include after them.
Result<Compilation> precompile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                               const Workspace& workspace, std::filesystem::path Precompiled::*pass,
                               const std::vector<std::string>& more);

}  // namespace warpmark::build
