// Describes a memory address in terms of the source code: array, element, distance from an array's end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/simulator/engine/machine/block.h"

namespace warpmark::simulator {

struct MemoryName {
  std::string array;  // name of the memory in messages, e.g. "sums" or "a 400-byte allocation"
  // the accessed element in messages, e.g. "sums[5]", "element 5 of a 400-byte allocation", "just past the
  // end of ..."
  std::string element;
};
MemoryName name_of_shared(const LaunchState& launch, std::int64_t offset, unsigned width);
MemoryName name_of_global(const LaunchState& launch, Address address, unsigned width);
std::string name_of_allocation(const Allocation& allocation);

// Returns the live, freed or heap allocation with the highest start at or below the address, or null.
const AllocationView* allocation_below(const LaunchState& launch, Address address);
// Returns the distance in bytes between the address and the allocation; 0 if the address is inside (then the
// access extends past the end).
Address distance(const Allocation& allocation, Address address);
// Returns the allocation that an out-of-bounds access was probably meant for, or null. Only allocations of
// the same memory kind are compared: address-space layout randomisation changes the distance between host and
// device mappings from run to run. Too large an index is likelier than a negative one, so an allocation that
// begins after the address is chosen only if it is much nearer, or begins just after it.
const AllocationView* nearest_allocation(const LaunchState& launch, Address address);

// Returns the kernel's pointer parameter through which the address was probably reached: of those that point
// into the allocation, the last one at or before the address. Null if there is none.
const NamedPointer* pointer_into(const LaunchState& launch, const Allocation& allocation, Address address);
// Returns the kernel's pointer argument nearest below the address (within a limit) that itself points into no
// allocation, or null.
const NamedPointer* stray_pointer(const LaunchState& launch, Address address);
// Undoes unsigned 32-bit wrap-around: returns the negative value that was converted, or nullopt if the index
// did not wrap.
std::optional<std::int64_t> unwrapped(std::int64_t index);
// True if the index results from signed 32-bit overflow: it exceeded 2^31 - 1 and wrapped to -2^31.
bool overflowed(std::int64_t index);

// Returns the index of the address relative to the pointer, in elements of the pointee type, or of `width`
// bytes if that type is unknown.
std::int64_t index_from(const NamedPointer& pointer, Address address, unsigned width);

// A static or dynamic shared array. shared_array() returns the one to which an offset in shared memory
// probably belongs: the last array that begins at or before the offset.
struct SharedArray {
  std::string name;  // name of the array; empty if the kernel has no shared array
  std::int64_t begin = 0;
  std::size_t bytes = 0;
  std::size_t element = 1;
  bool dynamic = false;  // extern __shared__ array, whose size the launch gives
};
SharedArray shared_array(const LaunchState& launch, std::int64_t offset);

// Describes where an out-of-bounds access lies relative to `what`, e.g. "12 bytes past the end of the 16-byte
// shared array sums, i.e. element 7 of 4 when read as 4-byte values".
std::string bytes_from(std::int64_t offset, std::size_t size, unsigned width, std::string_view what);
std::string shared_relation(const LaunchState& launch, std::int64_t offset, unsigned width);

}  // namespace warpmark::simulator
