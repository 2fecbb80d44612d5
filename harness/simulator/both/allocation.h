// Describes one allocation of simulated device memory; defines the limits for all allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpmark::simulator {

// generic address: the address window that contains it (shared, local, ...) determines the state space
using Address = std::uint64_t;
inline Address address_of(const void* pointer) {
  return reinterpret_cast<Address>(pointer);
}

// Total bytes that cudaMalloc can allocate, over all devices (at most kMostDevices).
inline constexpr std::size_t kDeviceMemoryBytes = std::size_t{16} << 30;
// Bytes of the shared-memory window, and of the local-memory window, in the generic address space.
inline constexpr std::size_t kWindowBytes = std::size_t{16} << 20;
inline constexpr std::size_t kRedZoneBytes = 256;  // minimum unused bytes before and after each allocation
// alignment in bytes of every allocation, as cudaMalloc guarantees
inline constexpr std::size_t kAllocationAlignment = 256;

// Byte that fills uninitialised memory. The pattern is neither zero nor a plausible sum: it reads as
// -842150451 (int) or -4.3e8 (float).
inline constexpr int kUndefinedByte = 0xCD;

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

// Sentinel of Allocation::place: the memory has no shadow cells.
inline constexpr std::size_t kNoPlace = SIZE_MAX;

struct Allocation {
  // Kind::heap: memory for malloc() in kernels, as a chunk of the device heap or as a block in it
  // (engine/machine/device_heap.h).
  enum class Kind { device, host_pinned, managed, variable, heap };
  Address begin = 0;
  std::size_t bytes = 0;
  Kind kind = Kind::device;
  int device = 0;  // device that owns the memory; for host memory: the current device when it was allocated
  bool freed = false;
  // True for memory that the program allocated itself and registered with cudaHostRegister (kind:
  // host_pinned).
  bool adopted = false;
  bool constant = false;  // true for a __constant__ variable, which kernels may only read
  // Registered memory of another process: the copy in this process that kernels access instead; else null.
  std::byte* copy = nullptr;
  std::string name;  // name of the variable; empty if the allocation is not a variable
  // position of the first byte among all bytes that the race detector's shadow memory covers
  std::size_t place = kNoPlace;
  // value of the counter DeviceMemory::changes() when something other than a kernel last changed the contents
  std::uint64_t changed = 0;
};

// True for pinned and managed memory: host memory that kernels may also access.
constexpr bool is_host_kind(Allocation::Kind kind) {
  return kind == Allocation::Kind::host_pinned || kind == Allocation::Kind::managed;
}

}  // namespace warpmark::simulator
