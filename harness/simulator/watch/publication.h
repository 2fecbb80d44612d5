// Release/acquire between blocks through memory. An access of one block happens before an access of another
// if it is followed by a fence and then by an atomic operation or strong store, and the other block read that
// address with an atomic operation or strong load. This is how a grid's last block may add up partial sums,
// and how spin locks and flags work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace warpmark::simulator {

// A block's accesses that a release makes visible to its acquirers. Clocks count from the block's start.
struct Released {
  struct OfWarp {
    std::uint32_t lanes = 0;  // lanes whose accesses before the clock are covered
    std::uint64_t before = 0;
    bool operator==(const OfWarp&) const = default;
  };
  std::uint64_t before = 0;     // all accesses of the block before this clock
  std::vector<OfWarp> of_warp;  // indexed by warp, may be shorter than the number of warps

  [[nodiscard]] bool covers(std::uint32_t thread, std::uint64_t clock) const;
  bool operator==(const Released&) const = default;
};

// Flag in an Acquired key: the address was read by an operation that is atomic only within its block (scope
// cta), which acquires releases of the own block only.
inline constexpr std::uint64_t kSeenInBlock = std::uint64_t{1} << 62;

// What a warp has acquired: for each address, how many of its releases (in their order) the warp has seen.
using Acquired = std::map<std::uint64_t, std::size_t>;
void merge(Acquired& into, const Acquired& more);

class Publication {
 public:
  // Records a release at the address by a block that had itself acquired `known`. A fence with block scope
  // releases only to the own block (to_block), a wider one to all blocks (to_all).
  void release(std::uint64_t address, std::uint64_t block, const Released& to_block, const Released& to_all,
               const Acquired& known);
  // Acquires the releases at the address into `known`. in_block: the operation is atomic only within its
  // block. Returns false if there was nothing to acquire.
  bool acquire(std::uint64_t address, std::uint64_t block, bool in_block, Acquired& known);
  // True if, among the releases at the address that `known` has acquired, one is by the block.
  [[nodiscard]] bool answers(std::uint64_t address, std::uint64_t block, const Acquired& known);

  [[nodiscard]] bool published(std::uint64_t block, std::uint32_t thread, std::uint64_t clock,
                               bool to_own_block, const Acquired& known);

 private:
  struct Entry {
    std::size_t index;
    Released to_block, to_all;
  };
  struct Releases {
    std::size_t count = 0;
    std::unordered_map<std::uint64_t, std::vector<Entry>> by_block;
    Acquired known;  // the acquisitions of all threads that released here
  };
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Releases> by_address_;
  std::size_t entries_ = 0;
  bool given_up_ = false;
};

}  // namespace warpmark::simulator
