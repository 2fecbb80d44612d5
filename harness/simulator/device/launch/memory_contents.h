// Hashes of device memory by pieces, to find out whether, and where, its contents have changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

using ContentHash = std::array<std::uint64_t, 2>;

// Hashes of a live allocation's contents.
struct AllocationContents {
  Address begin = 0;
  std::size_t bytes = 0;
  // Hashes of pieces of kPieceBytes; the last piece may be shorter.
  std::shared_ptr<const std::vector<ContentHash>> pieces;
  ContentHash whole;
  std::shared_ptr<const std::vector<std::size_t>> unset;  // uninitialised ranges, as pairs [first, end)
  std::vector<Address> pointed;  // sorted start addresses of the allocations that its words may point into
};

class MemoryContents {
 public:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
  // Maximum number of uninitialised ranges that are distinguished; beyond that the list is truncated.
  static constexpr std::size_t kMostUnset = 4096;

  // Number of bytes that now() would have to hash; allocations unchanged since the last call are skipped.
  [[nodiscard]] std::size_t unknown_bytes(const DeviceMemory& memory) const;
  // Returns the hashes of all live allocations, sorted by address.
  const std::vector<AllocationContents>& now(const DeviceMemory& memory);
  // A kernel ran that may have written anywhere: drops all hashes.
  void kernel_ran() { known_.clear(); }
  // A remembered launch was replayed: memory now has these hashes.
  void are(std::vector<AllocationContents> contents, const DeviceMemory& memory);

  // Hash of all memory contents. Includes the address of an allocation only if some word may point into it.
  static ContentHash hash_of(const std::vector<AllocationContents>& contents);

 private:
  [[nodiscard]] const AllocationContents* known(const HeldBytes& held) const;

  std::vector<AllocationContents> known_;
  std::uint64_t when_ = 0;  // DeviceMemory::changes() to which they belong
};

}  // namespace warpmark::simulator
