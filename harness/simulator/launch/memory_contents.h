// What device memory holds, by hashes of its pieces: whether it is as it was, and which pieces are not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

using ContentHash = std::array<std::uint64_t, 2>;

// A live allocation.
struct AllocationContents {
  Address begin = 0;
  std::size_t bytes = 0;
  std::shared_ptr<const std::vector<ContentHash>> pieces;  // of kPieceBytes each, the last one may be shorter
  ContentHash whole;
  std::shared_ptr<const std::vector<std::size_t>> unset;  // bytes that nobody has set: [first, end) each
  std::vector<Address> pointed;  // begins of the allocations, sorted, that its words may point into
};

class MemoryContents {
 public:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
  // How many ranges of unset bytes are told apart; where there are more they are all one.
  static constexpr std::size_t kMostUnset = 4096;

  // How many bytes now() would read: what has not changed since is known.
  [[nodiscard]] std::size_t unknown_bytes(const DeviceMemory& memory) const;
  // Sorted by begin.
  const std::vector<AllocationContents>& now(const DeviceMemory& memory);
  // A kernel ran: it may have written anywhere.
  void kernel_ran() { known_.clear(); }
  // It did what another one did that left these.
  void are(std::vector<AllocationContents> contents, const DeviceMemory& memory);

  // Of all that memory holds, and of where that lies to which words of it may point.
  static ContentHash hash_of(const std::vector<AllocationContents>& contents);

 private:
  [[nodiscard]] const AllocationContents* known(const HeldBytes& held) const;

  std::vector<AllocationContents> known_;
  std::uint64_t when_ = 0;  // DeviceMemory::changes() that they are of
};

}  // namespace warpmark::simulator
