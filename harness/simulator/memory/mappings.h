// Memory mappings for the contents and the addresses of device memory.
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/simulator/memory/allocation.h"

namespace warpmark::simulator {

inline constexpr std::size_t kPage = 4096;

// Size of an allocation's mapping.
inline std::size_t mapped_bytes(std::size_t bytes) {
  return round_up(std::max<std::size_t>(bytes, 1), kPage);
}

inline std::byte* as_pointer(Address address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// Maps kDeviceMemoryBytes, lazily backed. Throws std::system_error.
std::byte* map_device_bytes();

// Reserves inaccessible addresses. where: a fixed address, or null for any. Throws std::system_error.
std::byte* reserve_addresses(std::byte* where, std::size_t bytes);

}  // namespace warpmark::simulator
