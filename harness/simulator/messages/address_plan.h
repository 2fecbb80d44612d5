// Where the memory of a device that is another process lies: at the same addresses in the program's process,
// so that a pointer means the same on both sides.
//
// Device memory is mapped in the device alone; the program only keeps its addresses free. Pinned and managed
// memory lies behind it and is mapped in both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/simulator/memory/allocation.h"

namespace warpmark::simulator {

// Far below what the system hands out by itself, far above a program that is loaded at a fixed address.
inline constexpr Address kDeviceRange = Address{0x2000} << 32;
inline constexpr std::size_t kDeviceRangeBytes = std::size_t{0x2000} << 32;

// Addresses are handed out once, and so there are more of them than bytes.
inline constexpr Address kHostWindow = Address{0x4800} << 32;
inline constexpr std::size_t kHostWindowBytes = std::size_t{256} << 30;

}  // namespace warpmark::simulator
