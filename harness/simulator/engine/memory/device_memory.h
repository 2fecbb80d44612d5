// The simulated device's memory: a range of addresses that host code cannot access.
//
// Theory of operation. A range of host addresses is reserved with PROT_NONE. Device pointers point into it,
// so a dereference by host code faults and can be explained. The bytes are mapped elsewhere, at addresses
// that only the simulator knows. If the device is a separate process, the range has fixed addresses
// (both/address_plan.h). It begins with two windows through which generic addresses reach shared and
// local memory. Allocations are 256-byte aligned and far apart (space_allocator.h). Freed allocations stay in
// quarantine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/simulator/both/allocation.h"
#include "harness/simulator/engine/memory/defined_bytes.h"
#include "harness/simulator/engine/memory/padding.h"

namespace warpmark::simulator {

class GlobalShadow;

// An in-memory file that backs pinned and managed memory when the program is another process. The caller
// keeps ownership of the descriptor.
struct HostPages {
  int file = -1;
  std::size_t bytes = 0;  // planned size, or less if this process may not create files that large
};

// A live allocation and its contents.
struct HeldBytes {
  Address begin = 0;
  std::span<const std::byte> bytes;  // valid until the allocation is released
  std::size_t place = kNoPlace;
  std::uint64_t changed = 0;  // DeviceMemory::changes() at the last change not made by a kernel
  bool by_the_host = false;   // the host may change them without a CUDA call
};

class DeviceMemory {
 public:
  // Both constructors throw std::system_error if the range cannot be reserved.
  DeviceMemory();
  explicit DeviceMemory(const HostPages& pages);  // uses the fixed addresses of both/address_plan.h
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  // Selects the device (initially 0) of subsequent allocations, out of `devices` devices that share the
  // memory equally.
  void choose(int device, int devices);
  // Bytes per device.
  [[nodiscard]] std::size_t capacity() const;

  // Allocates uninitialised memory, filled with a pattern (kUndefinedByte); returns nullopt if memory is
  // exhausted. host_pinned and managed allocations lie outside the range, in ordinary host memory that
  // kernels may also access.
  std::optional<Address> allocate(std::size_t bytes, Allocation::Kind kind, std::string name = {},
                                  bool constant = false);
  // Registers the program's own host memory as host_pinned, so that kernels may access it; release() only
  // unregisters it. Returns false if it overlaps a known allocation.
  bool adopt(Address begin, std::size_t bytes, std::string name = {});
  // Returns false if no live allocation begins there.
  bool release(Address begin);

  // find() returns the live or freed allocation that contains the address; nearest() also the closest one
  // within a red zone. Both return copies, because other threads may allocate.
  [[nodiscard]] std::optional<Allocation> find(Address address) const;
  [[nodiscard]] std::optional<Allocation> nearest(Address address) const;

  // Returns where the simulator itself can access [address, address + bytes), or null unless one live
  // allocation contains all of it.
  [[nodiscard]] std::byte* host_view(Address address, std::size_t bytes) const;

  // The host wrote these bytes: marks them as initialised. Call it after writing through host_view(), which
  // is not tracked.
  void written_by_host(Address begin, std::size_t bytes);
  // A counter that grows with every change of contents, allocations or access rights not made by a kernel.
  [[nodiscard]] std::uint64_t changes() const;
  // Returns the contents of the live allocations except adopted ones, sorted by address.
  [[nodiscard]] std::vector<HeldBytes> held() const;
  // Stores bytes as a kernel would, without touching the shadow. One live allocation must contain them.
  void store_as_a_kernel(Address begin, std::span<const std::byte> bytes);
  // Records a device-to-device copy: bytes that are uninitialised at the source become so at the destination.
  void copied(Address begin, Address from, std::size_t bytes);
  // Marks the bytes as uninitialised.
  void undefine(Address begin, std::size_t bytes);
  // Marks the bytes as initialised except for ranges; `unset` holds pairs (first, end) of offsets from begin.
  void set_but_for(Address begin, std::size_t bytes, std::span<const std::size_t> unset);
  // Returns the uninitialised bytes of the range; none if that is not known (host memory, unobserved
  // kernels).
  [[nodiscard]] DefinedBytes::Undefined undefined_in(Address begin, std::size_t bytes) const;
  // Records that a kernel receives a pointer to elements of this layout.
  void points_to(Address pointer, const ElementLayout& layout);
  // True if the range's uninitialised bytes may be structure padding, or if the range is known to be padding
  // from the layouts that kernel pointers point to.
  [[nodiscard]] bool may_be_padding(Address begin, std::size_t bytes) const;
  [[nodiscard]] bool is_known_padding(Address begin, std::size_t bytes) const;
  // The race detector's shadow, indexed by Allocation::place.
  [[nodiscard]] GlobalShadow& shadow() const;
  // Returns the shadow offset of the address if one live allocation contains all the bytes, else kNoPlace.
  [[nodiscard]] std::size_t place_of(Address address, std::size_t bytes) const;

  // Anywhere in the reserved range, including the windows
  [[nodiscard]] bool in_range(Address address) const;
  // Size of the reserved range, which begins with the shared window
  [[nodiscard]] std::size_t range_bytes() const;
  [[nodiscard]] Address shared_window() const;
  [[nodiscard]] Address local_window() const;

  // Snapshots, sorted by address, for use during a launch: allocations do not change while a kernel runs.
  [[nodiscard]] std::vector<Allocation> allocations() const;  // live ones only
  [[nodiscard]] std::vector<Allocation> freed_allocations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::simulator
