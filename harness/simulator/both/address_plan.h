// Address-space layout if the simulated device is another process than the program. Device memory has the
// same addresses in both processes, so that a pointer means the same in both.
// | Memory of cudaMalloc is mapped in the device process only; the program merely reserves the addresses.
// Pinned and managed memory lies in the host window and is mapped in both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

// The simulator's virtual address range for cudaMalloc: far below the addresses that mmap chooses, far above
// an executable loaded at a fixed address.
inline constexpr Address kDeviceRange = Address{0x2000} << 32;
inline constexpr std::size_t kDeviceRangeBytes = std::size_t{0x2000} << 32;

// The simulator's virtual address range for pinned and managed memory. Far larger than the memory that can be
// allocated, because the addresses of freed allocations are never reused.
inline constexpr Address kHostWindow = Address{0x4800} << 32;
inline constexpr std::size_t kHostWindowBytes = std::size_t{256} << 30;

}  // namespace warpmark::simulator
