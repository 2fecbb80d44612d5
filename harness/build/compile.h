// Runs the compiler and linker: one run for gpu and host, four for the simulator.
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
  std::filesystem::path library;   // inside the workspace
  std::vector<std::string> files;  // files that the compiler read, under the names that it used
  std::string warnings{};          // warnings that the user should see, one per line; objects only
};

using Compilation = std::variant<Compiled, FailedPass>;

// Precompiled headers of the simulator's common preamble, one file per pass; an empty path means that there
// is none.
struct Precompiled {
  std::filesystem::path checking, counting, host;

  [[nodiscard]] bool empty() const { return checking.empty() && counting.empty() && host.empty(); }
};

// Optional accelerators of simulator builds. They do not change the result.
struct Quick {
  Precompiled headers;
  Linker linker;
  const CompileServer* server = nullptr;

  [[nodiscard]] bool any() const { return server != nullptr || linker || !headers.empty(); }
};

// Links the simulator's objects to a program; returns nullopt on success. folder: for the compiler's
// temporary files.
Result<std::optional<FailedPass>> link_program(const Toolchain& toolchain, const Settings& settings,
                                               const std::vector<std::filesystem::path>& objects,
                                               const std::filesystem::path& program,
                                               const std::filesystem::path& folder);

// Returns the sandbox box in which clang compiles a request.
sandbox::Box simulator_box(const Toolchain& toolchain, const Settings& settings, const Request& request,
                           const Workspace& workspace, const Precompiled& precompiled);

// Returns a linker that links simulator libraries faster than the compiler driver does, or an empty Linker if
// none is installed.
Linker quick_linker(const Toolchain& toolchain, const Settings& settings);

// Returns the flags that do not depend on a request. They are part of every cache key.
std::vector<std::string> fixed_flags(Engine engine);

// Compiles the request's source. Fails only for our own faults; a compiler error is returned as a FailedPass.
Result<Compilation> compile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                            const Workspace& workspace, const Quick& quick);

// Precompiles the preamble for one pass, named by a member of Precompiled; the request's source includes the
// preamble. more: system headers to include after it. Simulator only.
Result<Compilation> precompile(const Toolchain& toolchain, const Settings& settings, const Request& request,
                               const Workspace& workspace, std::filesystem::path Precompiled::*pass,
                               const std::vector<std::string>& more);

}  // namespace warpmark::build
