// mmap helpers for the contents of device memory and for its reserved addresses.
#pragma once

#include <algorithm>
#include <cstddef>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

inline constexpr std::size_t kPage = 4096;

// Returns the size of an allocation's mapping: `bytes`, at least 1, rounded up to whole pages.
inline std::size_t mapped_bytes(std::size_t bytes) {
  return round_up(std::max<std::size_t>(bytes, 1), kPage);
}

inline std::byte* as_pointer(Address address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// Maps kDeviceMemoryBytes of zeroed memory, whose pages are allocated on first use. Throws std::system_error.
std::byte* map_device_bytes();

// Sets a range of a private anonymous mapping to 0: a small range by memset, whole pages of a large one by
// returning them to the operating system.
void zero(void* begin, std::size_t bytes);

// Releases the whole pages of a range of a private anonymous mapping to the operating system. The range's
// contents are unspecified afterwards.
void give_back(void* begin, std::size_t bytes);

// Reserves a range of addresses without access (PROT_NONE). where: a fixed address, or null for any. Throws
// std::system_error.
std::byte* reserve_addresses(std::byte* where, std::size_t bytes);

}  // namespace warpmark::simulator
