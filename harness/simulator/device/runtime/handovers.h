// Records what host code and device hand over to one another in calls of the CUDA runtime, so that the judge
// can tell whether what kernels are given follows the data although the host was not shown the data.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <cuda_runtime_api.h>

#include "harness/simulator/watch/footprint.h"
#include "harness/wire/observation.h"

namespace warpmark::simulator {

class Kernel;
class Runtime;

// Each function records one handover (wire::Handover), or nothing unless WarpmarkSimulatorOptions asks for
// it. Addresses of device memory are recorded as offsets in their allocation, its size and its place among
// the allocations of that size: where an allocation lies differs from call to call.

// A launch: its shape, and of each argument the bytes that the kernel's code reads.
void note_launch(Runtime& runtime, const Kernel& kernel, dim3 grid, dim3 block, std::size_t shared_bytes,
                 const void* const* arguments);
// A copy, after it was made. `bytes` are the copied ones.
void note_copy(Runtime& runtime, std::string_view function, const void* to, const void* from,
               std::span<const std::byte> bytes, wire::Direction direction);
void note_set(Runtime& runtime, std::string_view function, const void* to, int value, std::size_t bytes);
// Pinned and managed memory that a launch has accessed: what it only read came from the host, all else may
// have gone there.
void note_host_contents(Runtime& runtime, std::string_view kernel, const Footprint& footprint);

}  // namespace warpmark::simulator
