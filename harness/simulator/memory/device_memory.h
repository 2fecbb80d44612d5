// The simulated device's memory: one range of addresses that no host access may touch.
//
// Theory of operation. A range of host addresses is reserved without access: device pointers lie in it, so a
// host dereference faults and is explained. The bytes themselves lie elsewhere; only the simulator knows
// where. Where the device is a process of its own, the range lies at fixed addresses
// (messages/address_plan.h). The range begins with two windows through which generic addresses reach shared
// and local memory. Allocations are 256-byte aligned and lie far apart (places.h). Freed allocations stay in
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

#include "harness/simulator/memory/allocation.h"
#include "harness/simulator/memory/defined_bytes.h"
#include "harness/simulator/memory/padding.h"

namespace warpmark::simulator {

class GlobalShadow;

// A file in memory behind pinned and managed memory of a device whose program is another process. The
// descriptor stays the caller's.
struct HostPages {
  int file = -1;
  std::size_t bytes = 0;  // what the plan says, or less where this process may not make files as large
};

// A live allocation, and what it holds.
struct HeldBytes {
  Address begin = 0;
  std::span<const std::byte> bytes;  // valid until it is released
  std::size_t place = kNoPlace;
  std::uint64_t changed = 0;  // DeviceMemory::changes() when they last did, but for kernels
  bool by_the_host = false;   // which may change them without a call
};

class DeviceMemory {
 public:
  // Both throw std::system_error when the range cannot be reserved.
  DeviceMemory();
  explicit DeviceMemory(const HostPages& pages);  // at the addresses of the plan
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
  // What the live allocations hold, sorted by begin, but for what is adopted.
  [[nodiscard]] std::vector<HeldBytes> held() const;
  // Does what a kernel did: the bytes lie in one live allocation.
  void store_as_a_kernel(Address begin, std::span<const std::byte> bytes);
  // The same for what was copied there on the device: bytes that nobody had set stay so.
  void copied(Address begin, Address from, std::size_t bytes);
  // What was written there counts as never written.
  void undefine(Address begin, std::size_t bytes);
  // Somebody set all bytes there but for some, [first, end) from the begin each.
  void set_but_for(Address begin, std::size_t bytes, std::span<const std::size_t> unset);
  // The bytes there that nobody has set. None where that is not known.
  [[nodiscard]] DefinedBytes::Undefined undefined_in(Address begin, std::size_t bytes) const;
  // A kernel gets a pointer to such elements.
  void points_to(Address pointer, const ElementLayout& layout);
  // Whether those may be the padding of structures; or are, by what kernels' pointers there point to.
  [[nodiscard]] bool may_be_padding(Address begin, std::size_t bytes) const;
  [[nodiscard]] bool is_known_padding(Address begin, std::size_t bytes) const;
  // By the allocations' places.
  [[nodiscard]] GlobalShadow& shadow() const;
  // The place of an address in the shadow, if all the bytes from there are in one live allocation; else
  // kNoPlace.
  [[nodiscard]] std::size_t place_of(Address address, std::size_t bytes) const;

  [[nodiscard]] bool in_range(Address address) const;  // anywhere in the reserved range, windows included
  [[nodiscard]] std::size_t range_bytes() const;       // which begins with the shared window
  [[nodiscard]] Address shared_window() const;
  [[nodiscard]] Address local_window() const;

  // Snapshots, sorted by begin. For a launch: allocations do not change while a kernel runs.
  [[nodiscard]] std::vector<Allocation> allocations() const;  // the live ones
  [[nodiscard]] std::vector<Allocation> freed_allocations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::simulator
