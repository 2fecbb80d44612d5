// What every source for the simulator begins with, parsed once for each pass and kept in the cache: of a
// library's compiling time it is more than half.
#pragma once

#include <future>

#include "harness/build/builder.h"
#include "harness/build/compile.h"

namespace warpmark::build {

// Safe to use from several threads.
class PrecompiledHeaders {
 public:
  PrecompiledHeaders(Toolchain toolchain, Settings settings);

  // Makes those that the cache does not have; the first caller pays, others wait. A path is empty where a
  // file could not be made: the source is then compiled without, and says what is wrong.
  Precompiled get();

 private:
  Toolchain toolchain_;
  Settings settings_;
  std::shared_future<Precompiled> made_;  // deferred until somebody waits
};

}  // namespace warpmark::build
