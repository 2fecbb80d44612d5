// The simulator's record of one allocation of device memory, and its constants for allocations: total size,
// alignment, guard zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpmark::simulator {

// A generic address in simulated memory. The state space (shared, local or global) follows from the window of
// the 64-bit address space that contains the address.
using Address = std::uint64_t;
inline Address address_of(const void* pointer) {
  return reinterpret_cast<Address>(pointer);
}

// The simulator's limit on the bytes that cudaMalloc can allocate, summed over all simulated devices.
inline constexpr std::size_t kDeviceMemoryBytes = std::size_t{16} << 30;
// Bytes of the shared-memory window, and of the local-memory window, in the generic address space.
inline constexpr std::size_t kWindowBytes = std::size_t{16} << 20;
// Red zone: the simulator leaves at least this many bytes unused before and after each device allocation, so
// that an out-of-bounds access does not hit a neighbour.
inline constexpr std::size_t kRedZoneBytes = 256;
// alignment in bytes of every allocation, as cudaMalloc guarantees
inline constexpr std::size_t kAllocationAlignment = 256;

// Byte with which the simulator fills uninitialised device memory. The pattern is neither zero nor a
// plausible sum: it reads as -842150451 (int) or -4.3e8 (float).
inline constexpr int kUndefinedByte = 0xCD;

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

// Sentinel for an allocation's position in the race detector's shadow memory: the allocation has no shadow
// cells.
inline constexpr std::size_t kNoPlace = SIZE_MAX;

struct Allocation {
  // Kinds of memory allocations. heap: memory for malloc() in kernels, either a chunk of the device heap or
  // one block in a chunk (engine/machine/device_heap.h).
  enum class Kind { device, host_pinned, managed, variable, heap };
  Address begin = 0;
  std::size_t bytes = 0;
  Kind kind = Kind::device;
  // simulated device that owns the allocation; for host memory: the current device when it was allocated
  int device = 0;
  bool freed = false;
  // True for memory that the program allocated itself and registered with cudaHostRegister (kind:
  // host_pinned).
  bool adopted = false;
  bool constant = false;  // true for a __constant__ variable, which kernels may only read
  // For memory that another process registered with cudaHostRegister: this process's copy of the memory,
  // which kernels access instead. Otherwise null.
  std::byte* copy = nullptr;
  // name of the program's __device__, __constant__ or __managed__ variable that the memory holds; else empty
  std::string name;
  // offset of the allocation's first byte in the byte range that the race detector's shadow memory covers
  std::size_t place = kNoPlace;
  // When something other than a kernel (a copy, a memset, ...) last changed the allocation's bytes, as a
  // value of the counter DeviceMemory::changes().
  std::uint64_t changed = 0;
};

// True for pinned and managed memory: host memory that kernels may also access.
constexpr bool is_host_kind(Allocation::Kind kind) {
  return kind == Allocation::Kind::host_pinned || kind == Allocation::Kind::managed;
}

}  // namespace warpmark::simulator
