// The runs of compiler and linker: one for a GPU or the host, four for the simulator.
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
  std::filesystem::path library;   // in the workspace
  std::vector<std::string> files;  // that were read, as the compiler saw their names
  std::string warnings{};          // that the user is to see, each in a line; of an object alone
};

// What every source begins with, parsed for each pass of the simulator's; empty paths: each source parses it.
struct Precompiled {
  std::filesystem::path checking, counting, host;

  [[nodiscard]] bool empty() const { return checking.empty() && counting.empty() && host.empty(); }
};

// What makes builds for the simulator faster and changes nothing in them. All may be missing.
struct Quick {
  Precompiled headers;
  Linker linker;
  const CompileServer* server = nullptr;

  [[nodiscard]] bool any() const { return server != nullptr || linker || !headers.empty(); }
};

// Objects of the simulator's to one program; empty when all went well. folder: for the compiler's own files.
Result<std::optional<FailedPass>> link_program(const Toolchain& toolchain, const Settings& settings,
                                               const std::vector<std::filesystem::path>& objects,
                                               const std::filesystem::path& program,
                                               const std::filesystem::path& folder);

// What clang sees of the machine while it compiles a request.
sandbox::Box simulator_box(const Toolchain& toolchain, const Settings& settings, const Request& request,
                           const Workspace& workspace, const Precompiled& precompiled);

// What links libraries for the simulator faster than the driver does, where there is such a linker.
Linker quick_linker(const Toolchain& toolchain, const Settings& settings);

// The flags that do not depend on a request: a part of every cache key.
std::vector<std::string> fixed_flags(Engine engine);

// Fails for our own faults alone.
Result<std::variant<Compiled, FailedPass>> compile(const Toolchain& toolchain, const Settings& settings,
                                                   const Request& request, const Workspace& workspace,
                                                   const Quick& quick);

// Parses what every source begins with for one pass, a member of Precompiled; the request's source
// includes it. more: names of headers that come behind it. Simulator only.
Result<std::variant<Compiled, FailedPass>> precompile(const Toolchain& toolchain, const Settings& settings,
                                                      const Request& request, const Workspace& workspace,
                                                      std::filesystem::path Precompiled::*pass,
                                                      const std::vector<std::string>& more);

}  // namespace warpmark::build
