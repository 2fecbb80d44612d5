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

// Name prefix of kernels in the simulator's replacement libraries (cuBLAS, thrust, ...).
inline constexpr std::string_view kLibraryKernel = "warpmark_";

struct Grid {
  const Kernel* kernel = nullptr;
  std::string name;
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  Dim3 cluster = {1, 1, 1};
  // Call site to which a launch is attributed: that of the library function that launches the kernel;
  // nullopt: that of the current CUDA runtime function.
  std::optional<CallSite> site = {};
};

// Returns the reason why the configuration of a device-side launch is invalid; empty if it is valid.
using ShapeFault =
    std::function<std::string(const Kernel& kernel, dim3 grid, dim3 block, std::size_t shared_bytes)>;

// Runs the grid `first`, then its child grids one after the other, each followed by its own children; a
// grid's tail launches (cudaStreamTailLaunch) run after its other children. All grids record their accesses
// into `footprint` and share `adopted`, the copies of registered host memory.
cudaError_t run_with_children(Runtime& runtime, RegisteredModule& module, const Grid& first,
                              const void* const* arguments, FootprintRecorder& footprint,
                              AdoptedMemory& adopted, const ShapeFault& fault_of);

}  // namespace warpmark::simulator
