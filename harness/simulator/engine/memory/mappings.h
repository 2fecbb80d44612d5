// Memory mappings for the contents and the addresses of device memory.
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/simulator/both/allocation.h"

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

// Sets bytes of a private anonymous mapping to 0: small ranges in place, of large ones whole pages by
// returning them to the operating system.
void zero(void* begin, std::size_t bytes);

// Returns the whole pages of a range of a private anonymous mapping to the operating system. Its contents are
// unspecified afterwards.
void give_back(void* begin, std::size_t bytes);

// Reserves inaccessible addresses. where: a fixed address, or null for any. Throws std::system_error.
std::byte* reserve_addresses(std::byte* where, std::size_t bytes);

}  // namespace warpmark::simulator
