#include "harness/simulator/engine/memory/unset.h"

#include <cstdint>
#include <cstring>

#include "harness/simulator/engine/memory/mappings.h"

namespace warpmark::simulator {
namespace {

// Bytes up to which an allocation is filled with the pattern of uninitialised memory. Filling touches every
// page, so larger ones get the pattern only at both ends; their middle reads as zero.
constexpr std::size_t kFilledWhole = std::size_t{64} << 20;

// Returns the initial byte of managed memory at an address: implausible like kUndefinedByte, but varying by
// address, so that a program hardly ever stores the same bytes.
std::byte unset_managed_byte(Address address) {
  const std::uint64_t mixed = (address ^ address >> 13) * 0x9E3779B97F4A7C15U;
  return static_cast<std::byte>(kUndefinedByte ^ static_cast<int>(mixed >> 62));
}

bool tells_by_contents(const Allocation& allocation) {
  return allocation.kind == Allocation::Kind::managed && allocation.bytes <= kFilledWhole;
}

}  // namespace

void fill_unset(std::byte* view, const Allocation& allocation) {
  const std::size_t bytes = allocation.bytes;
  if (tells_by_contents(allocation)) {
    for (std::size_t i = 0; i < bytes; ++i) view[i] = unset_managed_byte(allocation.begin + i);
  } else if (bytes <= kFilledWhole) {
    std::memset(view, kUndefinedByte, bytes);
  } else {
    std::memset(view, kUndefinedByte, kFilledWhole / 2);
    std::memset(view + bytes - kFilledWhole / 2, kUndefinedByte, kFilledWhole / 2);
  }
}

bool starts_unset(const Allocation& allocation) {
  using Kind = Allocation::Kind;
  return allocation.kind == Kind::device || allocation.kind == Kind::heap || tells_by_contents(allocation);
}

bool still_unset(const Allocation& managed, std::size_t offset, std::size_t bytes) {
  if (!tells_by_contents(managed)) return false;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    const Address address = managed.begin + i;  // managed memory has the same address in host and device
    if (*as_pointer(address) != unset_managed_byte(address)) return false;
  }
  return true;
}

}  // namespace warpmark::simulator
