// An allocation as the simulated device knows it, and the sizes that all of them obey.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpmark::simulator {

using Address = std::uint64_t;  // a generic device address
inline Address address_of(const void* pointer) {
  return reinterpret_cast<Address>(pointer);
}

inline constexpr std::size_t kDeviceMemoryBytes = std::size_t{16}
                                                  << 30;            // what cudaMalloc can hand out in all
inline constexpr int kMostDevices = 8;                              // which share that
inline constexpr std::size_t kWindowBytes = std::size_t{16} << 20;  // of shared and of local addresses each
inline constexpr std::size_t kRedZoneBytes = 256;         // at least, before and behind an allocation
inline constexpr std::size_t kAllocationAlignment = 256;  // as cudaMalloc guarantees

// What memory of undefined contents holds: neither zero nor a plausible sum, -842150451 as int, -4.3e8 as
// float.
inline constexpr int kUndefinedByte = 0xCD;

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

// Of memory that the shadow does not cover.
inline constexpr std::size_t kNoPlace = SIZE_MAX;

struct Allocation {
  // heap: a chunk of the device heap, or a block of it (machine/device_heap.h).
  enum class Kind { device, host_pinned, managed, variable, heap };
  Address begin = 0;
  std::size_t bytes = 0;
  Kind kind = Kind::device;
  int device = 0;  // that has it, or had been chosen when it was allocated
  bool freed = false;
  bool adopted = false;          // host_pinned, but the program's own memory
  bool constant = false;         // a __constant__ variable: kernels only read it
  std::byte* copy = nullptr;     // of adopted memory of another process: where kernels read and write it
  std::string name;              // of a __device__ variable, else empty
  std::size_t place = kNoPlace;  // offset in the shadow
  std::uint64_t changed = 0;     // DeviceMemory::changes() when its contents last did, but for kernels
};

// Of ordinary host memory that kernels may also access.
constexpr bool is_host_kind(Allocation::Kind kind) {
  return kind == Allocation::Kind::host_pinned || kind == Allocation::Kind::managed;
}

}  // namespace warpmark::simulator
