// Runs a grid and the child grids that its threads launch (dynamic parallelism).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/device/runtime/adopted.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {

// Name prefix of the kernels of the simulator's own libraries (cuBLAS, thrust, ...).
inline constexpr std::string_view kLibraryKernel = "warpmark_";

struct Grid {
  const Kernel* kernel = nullptr;
  std::string name;
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  Dim3 cluster = {1, 1, 1};
  // call site of the library function, if it differs from the current runtime call
  std::optional<CallSite> site = {};
};

// Returns why the shape of a device-side launch is invalid; empty if it is valid.
using ShapeFault =
    std::function<std::string(const Kernel& kernel, dim3 grid, dim3 block, std::size_t shared_bytes)>;

// Runs the grid, then its child grids one after the other, each followed by its own children; tail launches
// (cudaStreamTailLaunch) run last. All grids record into the same footprint and share the adopted memory.
cudaError_t run_with_children(Runtime& runtime, RegisteredModule& module, const Grid& first,
                              const void* const* arguments, FootprintRecorder& footprint,
                              AdoptedMemory& adopted, const ShapeFault& fault_of);

}  // namespace warpmark::simulator
