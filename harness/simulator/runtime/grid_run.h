// A grid, and those that its threads launch.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

#include "harness/simulator/launch/launch.h"
#include "harness/simulator/runtime/adopted.h"
#include "harness/simulator/runtime/runtime.h"

namespace warpmark::simulator {

// How the names of kernels of our own libraries begin.
inline constexpr std::string_view kLibraryKernel = "warpmark_";

struct Grid {
  const Kernel* kernel = nullptr;
  std::string name;
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  Dim3 cluster = {1, 1, 1};
  std::optional<CallSite> site = {};  // of a call of a library, where it is not the one at hand
};

// What is wrong with the shape of a launch from a kernel; empty when nothing is.
using ShapeFault =
    std::function<std::string(const Kernel& kernel, dim3 grid, dim3 block, std::size_t shared_bytes)>;

// Runs the grid. What its threads launched runs when it has ended, one grid after the other, each with what
// it launches itself; behind all others what is to be its tail. The footprint is that of them all. They reach
// the adopted memory.
cudaError_t run_with_children(Runtime& runtime, RegisteredModule& module, const Grid& first,
                              const void* const* arguments, FootprintRecorder& footprint,
                              AdoptedMemory& adopted, const ShapeFault& fault_of);

}  // namespace warpmark::simulator
