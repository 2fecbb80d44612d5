// Describes an allocation of the simulated device's memory, and defines the limits for all allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpmark::simulator {

using Address = std::uint64_t;  // a generic device address
inline Address address_of(const void* pointer) {
  return reinterpret_cast<Address>(pointer);
}

// Total that cudaMalloc can allocate, over all devices (at most kMostDevices).
inline constexpr std::size_t kDeviceMemoryBytes = std::size_t{16} << 30;
// Size of the shared and of the local address window, each.
inline constexpr std::size_t kWindowBytes = std::size_t{16} << 20;
inline constexpr std::size_t kRedZoneBytes = 256;         // minimum before and after each allocation
inline constexpr std::size_t kAllocationAlignment = 256;  // as cudaMalloc guarantees

// Fill pattern of uninitialised memory, chosen to be neither zero nor a plausible sum: it reads as -842150451
// (int) or -4.3e8 (float).
inline constexpr int kUndefinedByte = 0xCD;

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

// Shadow offset of memory that the shadow does not cover.
inline constexpr std::size_t kNoPlace = SIZE_MAX;

struct Allocation {
  // heap: a chunk of the device heap, or a block of it (engine/machine/device_heap.h).
  enum class Kind { device, host_pinned, managed, variable, heap };
  Address begin = 0;
  std::size_t bytes = 0;
  Kind kind = Kind::device;
  int device = 0;  // the device that owns it, or that was current when it was allocated
  bool freed = false;
  // host_pinned, but memory that the program itself allocated (cudaHostRegister)
  bool adopted = false;
  bool constant = false;  // a __constant__ variable: kernels may only read it
  // Adopted memory of another process: the mapped bytes that kernels access instead
  std::byte* copy = nullptr;
  std::string name;              // name of a variable; empty for other memory
  std::size_t place = kNoPlace;  // offset in the shadow
  // DeviceMemory::changes() at the last change of contents not made by a kernel
  std::uint64_t changed = 0;
};

// True for ordinary host memory that kernels may also access.
constexpr bool is_host_kind(Allocation::Kind kind) {
  return kind == Allocation::Kind::host_pinned || kind == Allocation::Kind::managed;
}

}  // namespace warpmark::simulator
