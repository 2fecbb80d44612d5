// What all builds of one Builder object share (precompiled headers, linker, compile servers); each part is
// created by the first build that needs it.
#pragma once

#include <future>
#include <memory>
#include <optional>

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
  // Of a builder for the GPU: how clang compiles its libraries' host code, and what it shares with the
  // builder for the simulator; `linker` is for these libraries then.
  std::optional<HostHalf> host_half = std::nullopt;
  std::shared_ptr<Shared> of_simulator = nullptr;
};

}  // namespace warpmark::build
