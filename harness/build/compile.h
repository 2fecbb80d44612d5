// The compiler's runs: one for a GPU, three for the simulator.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/builder.h"
#include "harness/build/workspace.h"
#include "harness/sandbox/process.h"

namespace warpmark::build {

struct Compiled {
  std::filesystem::path library;   // in the workspace
  std::vector<std::string> files;  // that were read, as the compiler saw their names
};

// What every source begins with, parsed for each pass of the simulator's; empty paths: each source parses it.
struct Precompiled {
  std::filesystem::path checking, counting, host;
};

// The pass that failed, or ran until the limit.
struct FailedPass {
  sandbox::Finished finished;
};

// Objects of the simulator's to one program; empty when all went well. folder: for the compiler's own files.
Result<std::optional<FailedPass>> link_program(const Toolchain& toolchain, const Settings& settings,
                                               const std::vector<std::filesystem::path>& objects,
                                               const std::filesystem::path& program,
                                               const std::filesystem::path& folder);

// The flags that do not depend on a request: a part of every cache key.
std::vector<std::string> fixed_flags(Engine engine);

// Fails for our own faults alone.
Result<std::variant<Compiled, FailedPass>> compile(const Toolchain& toolchain, const Settings& settings,
                                                   const Request& request, const Workspace& workspace,
                                                   const Precompiled& precompiled);

// Parses what every source begins with for one pass, a member of Precompiled; the request's source
// includes it. Simulator only.
Result<std::variant<Compiled, FailedPass>> precompile(const Toolchain& toolchain, const Settings& settings,
                                                      const Request& request, const Workspace& workspace,
                                                      std::filesystem::path Precompiled::*pass);

}  // namespace warpmark::build
