// What the source calls the memory at an address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/simulator/machine/block.h"

namespace warpmark::simulator {

struct MemoryName {
  std::string array;    // "sums", "a 400-byte allocation"
  std::string element;  // "sums[5]", "element 5 of a 400-byte allocation", "just past the end of ..."
};
MemoryName name_of_shared(const LaunchState& launch, std::int64_t offset, unsigned width);
MemoryName name_of_global(const LaunchState& launch, Address address, unsigned width);
std::string name_of_allocation(const Allocation& allocation);

// The last allocation that begins at the address or before it; null: none.
const AllocationView* allocation_below(const LaunchState& launch, Address address);
// Distance in bytes from an allocation; 0 inside, where an access begins that reaches across its end.
Address distance(const Allocation& allocation, Address address);
// Of the same kind of memory: how far device memory lies from the host's differs from run to run. An index
// that is too large is likelier than a negative one, but for one just before the start. Null: none.
const AllocationView* nearest_allocation(const LaunchState& launch, Address address);

// The pointer of the kernel's parameters that the address is most likely reached by: the last one before it,
// of those that point into the allocation. Null: none.
const NamedPointer* pointer_into(const LaunchState& launch, const Allocation& allocation, Address address);
// A pointer that itself lies outside of all allocations, at the address or closely before it. Null: none.
const NamedPointer* stray_pointer(const LaunchState& launch, Address address);
// What an index of 32 bits without a sign was before it went below 0, where it begins anew at 2^32; none: it
// did not.
std::optional<std::int64_t> unwrapped(std::int64_t index);
// Whether it is one that ran past 2^31 - 1, where an int begins anew at -2^31.
bool overflowed(std::int64_t index);

// In elements of what the pointer points to, or of the access.
std::int64_t index_from(const NamedPointer& pointer, Address address, unsigned width);

// The static or dynamic array that the offset most likely belongs to: the last one that begins before it.
struct SharedArray {
  std::string name;  // empty: no array
  std::int64_t begin = 0;
  std::size_t bytes = 0;
  std::size_t element = 1;
  bool dynamic = false;  // the launch gives its size
};
SharedArray shared_array(const LaunchState& launch, std::int64_t offset);

// "12 bytes past the end of the 16-byte shared array sums, i.e. element 7 of 4 when read as 4-byte values"
std::string bytes_from(std::int64_t offset, std::size_t size, unsigned width, std::string_view what);
std::string shared_relation(const LaunchState& launch, std::int64_t offset, unsigned width);

}  // namespace warpmark::simulator
