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

// A shared in-memory file that backs pinned and managed memory if the program under test is another process.
// The caller owns the descriptor.
struct HostPages {
  int file = -1;
  // Size in bytes of the file that backs pinned and managed memory, at most the process's file size limit
  // (RLIMIT_FSIZE).
  std::size_t bytes = 0;
};

// A live allocation of device memory and a view of its contents.
struct HeldBytes {
  Address begin = 0;
  std::span<const std::byte> bytes;  // contents of a live device allocation; valid until it is released
  std::size_t place = kNoPlace;
  // value of the counter DeviceMemory::changes() when something other than a kernel last changed the bytes
  std::uint64_t changed = 0;
  // host code may write to this memory without a CUDA call, as to managed or pinned memory
  bool by_the_host = false;
};

class DeviceMemory {
 public:
  // The constructors of the simulated device memory throw std::system_error if the device's address range
  // cannot be reserved.
  DeviceMemory();
  // Device memory in a process of its own: uses the fixed addresses of both/address_plan.h.
  explicit DeviceMemory(const HostPages& pages);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  // From now on nobody asks who accessed which bytes, and which are uninitialised: keeps no account of it,
  // and leaves new memory as it is, which is zero where it was never used.
  void stop_accounting();

  // Selects the device (initially 0) of subsequent allocations. `devices` is the number of simulated devices;
  // they share the memory equally.
  void choose(int device, int devices);
  // Returns the memory size per device in bytes.
  [[nodiscard]] std::size_t capacity() const;

  // Allocates uninitialised memory, filled with the byte kUndefinedByte; returns nullopt if memory is
  // exhausted. Allocations of kind host_pinned or managed lie outside the device's address range, in ordinary
  // host memory that kernels may also access.
  std::optional<Address> allocate(std::size_t bytes, Allocation::Kind kind, std::string name = {},
                                  bool constant = false);
  // Registers host memory of the program (cudaHostRegister) as host_pinned, so that kernels may access it;
  // release() only unregisters it. Returns false if the memory overlaps a known allocation.
  bool adopt(Address begin, std::size_t bytes, std::string name = {});
  // Frees the live allocation that begins at the address; returns false if there is none.
  bool release(Address begin);

  // find() returns the live or freed allocation that contains the address; nearest() also returns one that is
  // less than a red zone away. Both return copies, because other threads may allocate.
  [[nodiscard]] std::optional<Allocation> find(Address address) const;
  [[nodiscard]] std::optional<Allocation> nearest(Address address) const;

  // Returns the address at which the simulator can access [address, address + bytes), or null unless a single
  // live allocation contains the range.
  [[nodiscard]] std::byte* host_view(Address address, std::size_t bytes) const;

  // Marks bytes that the host has written as initialised. Call this after writing through host_view(), which
  // records nothing.
  void written_by_host(Address begin, std::size_t bytes);
  // Returns device memory's change counter, which grows with every change of contents, allocations or
  // access rights that is not made by a kernel.
  [[nodiscard]] std::uint64_t changes() const;
  // Returns views of all live allocations except registered host memory (adopt()), sorted by address.
  [[nodiscard]] std::vector<HeldBytes> held() const;
  // Stores bytes as a kernel would, without touching the race detector's shadow. A single live allocation
  // must contain them.
  void store_as_a_kernel(Address begin, std::span<const std::byte> bytes);
  // Records a device-to-device copy: destination bytes whose source is uninitialised become uninitialised.
  void copied(Address begin, Address from, std::size_t bytes);
  void undefine(Address begin, std::size_t bytes);
  // Has writes of kernels to the range reported by the race detector, in place of an earlier range.
  void report_writes(Address begin, std::size_t bytes);
  // Marks a range of device memory as initialised, except for the sub-ranges that `unset` lists: pairs
  // (first, end) of byte offsets from `begin`.
  void set_but_for(Address begin, std::size_t bytes, std::span<const std::size_t> unset);
  // Returns the uninitialised bytes of the range. Reports none if that is unknown: in host memory, and in
  // memory that a kernel may have written without race detection.
  [[nodiscard]] DefinedBytes::Undefined undefined_in(Address begin, std::size_t bytes) const;
  // Records that a kernel takes `pointer` as a pointer to structures with the given layout: it tells which
  // uninitialised bytes behind the pointer are padding.
  void points_to(Address pointer, const ElementLayout& layout);
  // may_be_padding() is true if all uninitialised bytes of the range may be structure padding;
  // is_known_padding() if the layouts recorded by points_to() show that the whole range is padding.
  [[nodiscard]] bool may_be_padding(Address begin, std::size_t bytes) const;
  [[nodiscard]] bool is_known_padding(Address begin, std::size_t bytes) const;
  // Returns the race detector's shadow memory, which is indexed by Allocation::place.
  [[nodiscard]] GlobalShadow& shadow() const;
  // Returns the offset of the address in the race detector's shadow memory, or kNoPlace unless a single live
  // allocation contains the whole range.
  [[nodiscard]] std::size_t place_of(Address address, std::size_t bytes) const;

  // True if the address is in the reserved range of device addresses, including the shared and local windows.
  [[nodiscard]] bool in_range(Address address) const;
  // Returns the size in bytes of the reserved range, which begins with the shared window.
  [[nodiscard]] std::size_t range_bytes() const;
  [[nodiscard]] Address shared_window() const;
  [[nodiscard]] Address local_window() const;

  // Return snapshots of the allocations, sorted by address, for use during a launch: allocations do not
  // change while a kernel runs.
  [[nodiscard]] std::vector<Allocation> allocations() const;
  [[nodiscard]] std::vector<Allocation> freed_allocations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::simulator
