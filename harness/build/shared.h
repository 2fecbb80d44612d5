// State shared by the builds of one Builder, created when the first build needs it.
#pragma once

#include <future>

#include "harness/build/builder.h"
#include "harness/build/compile.h"
#include "harness/build/compile_servers.h"
#include "harness/build/linker.h"
#include "harness/build/precompiled.h"

namespace warpmark::build {

// Thread-safe.
struct Shared {
  Shared(const Toolchain& toolchain, const Settings& settings)
      : headers(toolchain, settings),
        linker(std::async(std::launch::deferred, quick_linker, toolchain, settings)) {}

  PrecompiledHeaders headers;
  std::shared_future<Linker> linker;
  CompileServers servers;
};

}  // namespace warpmark::build
