// Hashes device memory in fixed-size chunks, to detect whether and where its contents have changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

using ContentHash = std::array<std::uint64_t, 2>;

// Content hashes of one live allocation.
struct AllocationContents {
  Address begin = 0;
  std::size_t bytes = 0;
  // One hash per chunk of kPieceBytes bytes of the allocation; the last chunk may be shorter.
  std::shared_ptr<const std::vector<ContentHash>> pieces;
  ContentHash whole;
  // uninitialised byte ranges of the allocation, as pairs [first, end)
  std::shared_ptr<const std::vector<std::size_t>> unset;
  // Sorted start addresses of the allocations that words in this allocation may point into.
  std::vector<Address> pointed;
};

class MemoryContents {
 public:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
  // Limit on listed uninitialised ranges per allocation; longer lists are truncated.
  static constexpr std::size_t kMostUnset = 4096;

  // Returns how many bytes of device memory would have to be hashed to get current hashes of all allocations:
  // those of the allocations that have changed since they were last hashed.
  [[nodiscard]] std::size_t unknown_bytes(const DeviceMemory& memory) const;
  // Returns the current content hashes of all live allocations, sorted by address.
  const std::vector<AllocationContents>& now(const DeviceMemory& memory);
  // Drops all cached hashes of device memory, because a kernel ran that may have written anywhere.
  void kernel_ran() { known_.clear(); }
  // Replaces the cached hashes of device memory after a remembered launch was replayed, which has left the
  // known contents `contents`.
  void are(std::vector<AllocationContents> contents, const DeviceMemory& memory);

  // Returns one hash of all memory contents. An allocation's address enters the hash only if some word in
  // memory may point into the allocation.
  static ContentHash hash_of(const std::vector<AllocationContents>& contents);

 private:
  [[nodiscard]] const AllocationContents* known(const HeldBytes& held) const;

  std::vector<AllocationContents> known_;
  // value of the counter DeviceMemory::changes() at which the cached hashes were valid
  std::uint64_t when_ = 0;
};

}  // namespace warpmark::simulator
