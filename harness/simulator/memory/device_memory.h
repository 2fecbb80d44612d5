// The simulated device's memory: one range of addresses that no host access may touch.
//
// Theory of operation. A range of host addresses is reserved without access: device pointers lie in it, so a
// host dereference faults and is explained. The bytes themselves are the same pages mapped a second time
// elsewhere; only the simulator knows where. Where the device is a process of its own, the range lies at
// fixed addresses (messages/address_plan.h) and holds nothing there either. The range begins with two windows
// through which generic addresses reach shared and local memory. Allocations are 256-byte aligned and lie far
// apart, so that an index far out of bounds hits no other; their bytes lie side by side. Only where the host
// may read device memory itself, addresses lie as the bytes do, with red zones between them. Freed
// allocations stay in quarantine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/simulator/memory/defined_bytes.h"
#include "harness/simulator/memory/padding.h"

namespace warpmark::simulator {

class GlobalShadow;

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
};

// Whether managed memory holds there what it held when it was allocated: nobody has set it, not even the
// host.
bool still_unset(const Allocation& managed, std::size_t offset, std::size_t bytes);

// Files in memory behind a device whose program is another process: of device memory, and of what both use.
// Descriptors, which stay the caller's, and sizes: what the plan says, or less where this process may not
// make files as large. Device memory behind its file's end is the device's alone.
struct DevicePages {
  int device = -1;
  std::size_t device_bytes = 0;
  int host = -1;
  std::size_t host_bytes = 0;
};

class DeviceMemory {
 public:
  // Both throw std::system_error when the range cannot be reserved.
  DeviceMemory();
  explicit DeviceMemory(const DevicePages& pages);  // at the addresses of the plan
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  // The device of what is allocated from now on, 0 at first, among so many that have the same share of the
  // bytes each.
  void choose(int device, int devices);
  // Of one device.
  [[nodiscard]] std::size_t capacity() const;

  // Contents undefined (filled with a pattern that no program expects). Empty when memory is used up.
  // host_pinned and managed allocations lie outside the range, in ordinary host memory that kernels may also
  // access.
  std::optional<Address> allocate(std::size_t bytes, Allocation::Kind kind, std::string name = {},
                                  bool constant = false);
  // Lets kernels access host memory of the program's own, as host_pinned, until it is released, which only
  // forgets it. False when it overlaps what is known already.
  bool adopt(Address begin, std::size_t bytes, std::string name = {});
  // False when no live allocation begins there.
  bool release(Address begin);

  // The live or freed allocation that holds the address; else the nearest one within a red zone's reach is
  // returned by nearest(). Empty when nothing is there. Copies, because other threads may allocate.
  [[nodiscard]] std::optional<Allocation> find(Address address) const;
  [[nodiscard]] std::optional<Allocation> nearest(Address address) const;

  // Where the simulator reads and writes [address, address + bytes) itself; null unless all of it is in one
  // live allocation.
  [[nodiscard]] std::byte* host_view(Address address, std::size_t bytes) const;

  // The host wrote there: reading it is no fault. What host_view() gives is not seen otherwise.
  void written_by_host(Address begin, std::size_t bytes);
  // Grows with every change of contents, allocations and rights that no kernel makes.
  [[nodiscard]] std::uint64_t changes() const;
  // The same for what was copied there on the device: bytes that nobody had set stay so.
  void copied(Address begin, Address from, std::size_t bytes);
  // What was written there counts as never written.
  void undefine(Address begin, std::size_t bytes);
  // The bytes there that nobody has set. None where that is not known.
  [[nodiscard]] DefinedBytes::Undefined undefined_in(Address begin, std::size_t bytes) const;
  // A kernel gets a pointer to such elements.
  void points_to(Address pointer, const ElementLayout& layout);
  // Whether those may be the padding of structures.
  [[nodiscard]] bool may_be_padding(Address begin, std::size_t bytes) const;
  // By the allocations' places.
  [[nodiscard]] GlobalShadow& shadow() const;
  // The place of an address in the shadow, if all the bytes from there are in one live allocation; else
  // kNoPlace.
  [[nodiscard]] std::size_t place_of(Address address, std::size_t bytes) const;

  [[nodiscard]] bool in_range(Address address) const;  // anywhere in the reserved range, windows included
  [[nodiscard]] std::size_t range_bytes() const;       // which begins with the shared window
  [[nodiscard]] Address shared_window() const;
  [[nodiscard]] Address local_window() const;

  // Lets the host read and write device addresses directly (thrust's CPP system): those of memory that is
  // allocated from now on.
  void open_to_host();
  [[nodiscard]] bool open() const;

  // Snapshot for a launch: allocations do not change while a kernel runs. Sorted by begin.
  [[nodiscard]] std::vector<Allocation> allocations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::simulator
