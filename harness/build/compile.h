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
  std::filesystem::path library;   // path of the built library or object, inside the build's temporary folder
  std::vector<std::string> files;  // every file that the compiler read, as named by the compiler
  std::string warnings{};          // the compiler's warnings for the user, one per line; empty after linking
};

using Compilation = std::variant<Compiled, FailedPass>;

// Precompiled headers that every simulator source includes first, one file per compiler pass; an empty path
// means that the pass has none.
struct Precompiled {
  std::filesystem::path checking, counting, host;

  [[nodiscard]] bool empty() const { return checking.empty() && counting.empty() && host.empty(); }
};

// Optional means of speeding up simulator builds; the result is the same without them.
struct Quick {
  Precompiled headers;
  Linker linker;
  const CompileServer* server = nullptr;

  [[nodiscard]] bool any() const { return server != nullptr || linker || !headers.empty(); }
};

// Links object files and the simulator's runtime into a program; returns nullopt on success. folder: receives
// the compiler's temporary files.
Result<std::optional<FailedPass>> link_program(const Toolchain& toolchain, const Settings& settings,
                                               const std::vector<std::filesystem::path>& objects,
                                               const std::filesystem::path& program,
                                               const std::filesystem::path& folder);

// Returns the sandbox (the paths that clang may read and write) for compiling a request.
sandbox::Box simulator_box(const Toolchain& toolchain, const Settings& settings, const Request& request,
                           const Workspace& workspace, const Precompiled& precompiled);

// Returns a linker that links simulator libraries faster than the compiler driver does, or an empty Linker if
// none is installed.
Linker quick_linker(const Toolchain& toolchain, const Settings& settings);

// Returns the engine's compiler flags that are the same for every request; every cache key includes them.
std::vector<std::string> fixed_flags(Engine engine);

// Compiles the request's source. Returns an error only for faults of this program or machine; a compiler
// error is returned as a FailedPass.
Result<Compilation> compile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                            const Workspace& workspace, const Quick& quick);

// Precompiles the headers that every simulator source includes first, for the pass selected by a member of
// Precompiled. The request's source includes these headers; `more` lists system headers to include after
// them. Simulator only.
Result<Compilation> precompile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                               const Workspace& workspace, std::filesystem::path Precompiled::*pass,
                               const std::vector<std::string>& more);

}  // namespace warpmark::build
