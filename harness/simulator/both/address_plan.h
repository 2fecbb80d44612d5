// Address-space layout if the device is another process: its memory has the same addresses in the program's
// process, so that a pointer means the same in both.
// | Device memory is mapped in the device process only; the program merely reserves the addresses. Pinned and
// managed memory lies in the host window and is mapped in both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

// Far below the addresses that mmap chooses, far above an executable loaded at a fixed address.
inline constexpr Address kDeviceRange = Address{0x2000} << 32;
inline constexpr std::size_t kDeviceRangeBytes = std::size_t{0x2000} << 32;

// Addresses are never reused, so the window is much larger than the memory that can be allocated.
inline constexpr Address kHostWindow = Address{0x4800} << 32;
inline constexpr std::size_t kHostWindowBytes = std::size_t{256} << 30;

}  // namespace warpmark::simulator
