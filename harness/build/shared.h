// What all builds of one Builder object share (precompiled headers, linker, compile servers); each part is
// created by the first build that needs it.
#pragma once

#include <future>

#include "harness/build/builder.h"
#include "harness/build/compile.h"
#include "harness/build/compile_servers.h"
#include "harness/build/linker.h"
#include "harness/build/precompiled.h"

namespace warpmark::build {

// Precompiled headers, linker and compile servers, shared by all copies of a Builder object. Thread-safe.
struct Shared {
  Shared(const Toolchain& toolchain, const Settings& settings)
      : headers(toolchain, settings),
        linker(std::async(std::launch::deferred, quick_linker, toolchain, settings)) {}

  PrecompiledHeaders headers;
  std::shared_future<Linker> linker;
  CompileServers servers;
};

}  // namespace warpmark::build
