// Pages of this process for device memory and its addresses.
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/simulator/memory/allocation.h"

namespace warpmark::simulator {

inline constexpr std::size_t kPage = 4096;

// Of an allocation.
inline std::size_t mapped_bytes(std::size_t bytes) {
  return round_up(std::max<std::size_t>(bytes, 1), kPage);
}

// Device addresses are host addresses.
inline std::byte* as_pointer(Address address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// kDeviceMemoryBytes, which take up memory where they are touched. Throws std::system_error.
std::byte* map_device_bytes();

// Addresses that no access may touch. where: fixed, or null for anywhere. Throws std::system_error.
std::byte* reserve_addresses(std::byte* where, std::size_t bytes);

}  // namespace warpmark::simulator
