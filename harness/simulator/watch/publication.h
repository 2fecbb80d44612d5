// Release/acquire synchronisation through memory, for the race detector. A thread's fence followed by an
// atomic operation or strong store releases the accesses before the fence; another thread acquires them by an
// atomic operation or strong load of the same address. This orders a grid's last block that adds up partial
// sums, spin locks, and flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace warpmark::simulator {

// Accesses of one block that a release makes visible to acquirers. Clocks count from the block's start.
struct Released {
  struct OfWarp {
    // Lanes of a warp whose accesses with clocks below `before` a release makes visible.
    std::uint32_t lanes = 0;
    std::uint64_t before = 0;
    bool operator==(const OfWarp&) const = default;
  };
  // The release makes all accesses of the whole block with clocks below this one visible.
  std::uint64_t before = 0;
  // Per warp, indexed by warp number, the accesses that a release makes visible; none for warps beyond the
  // vector's end.
  std::vector<OfWarp> of_warp;

  [[nodiscard]] bool covers(std::uint32_t thread, std::uint64_t clock) const;
  bool operator==(const Released&) const = default;
};

// Flag in an address by which a warp's acquired releases are looked up: the address was read by an atomic of
// block scope (cta), which acquires only releases of its own block.
inline constexpr std::uint64_t kSeenInBlock = std::uint64_t{1} << 62;

// The releases that a warp has acquired: maps an address to the number of releases at this address seen so
// far. Releases at an address are numbered in order.
using Acquired = std::map<std::uint64_t, std::size_t>;
void merge(Acquired& into, const Acquired& more);

class Publication {
 public:
  // Records a release (a fence and an atomic operation or strong store) at an address by a block that has
  // itself acquired `known`. Other blocks acquire the accesses `to_all` (before a fence of at least gpu
  // scope), the own block `to_block` (before any fence). clock: that of the atomic operation or store.
  void release(std::uint64_t address, std::uint64_t block, std::uint64_t clock, const Released& to_block,
               const Released& to_all, const Acquired& known);
  // Performs an acquire by a warp: adds all releases at the address to `known`, those that the warp has
  // acquired. in_block: the acquiring atomic has block scope. Returns false if there is nothing to acquire.
  bool acquire(std::uint64_t address, std::uint64_t block, bool in_block, Acquired& known);
  // True if a warp has acquired a release by this block at this address; `known` contains the warp's acquired
  // releases.
  [[nodiscard]] bool answers(std::uint64_t address, std::uint64_t block, const Acquired& known);

  [[nodiscard]] bool published(std::uint64_t block, std::uint32_t thread, std::uint64_t clock,
                               bool to_own_block, const Acquired& known);
  // True if a warp has acquired a release at this address whose atomic operation or strong store is that of
  // this block and clock, or a later one.
  [[nodiscard]] bool has_acquired(std::uint64_t address, std::uint64_t block, std::uint64_t clock,
                                  bool to_own_block, const Acquired& known);

 private:
  struct Entry {
    std::size_t index;
    std::uint64_t clock;  // of the last access that released this
    Released to_block, to_all;
  };
  struct Releases {
    std::size_t count = 0;
    std::unordered_map<std::uint64_t, std::vector<Entry>> by_block;
    // Releases that the threads which released at this address had themselves acquired before.
    Acquired known;
  };
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Releases> by_address_;
  std::size_t entries_ = 0;
  bool given_up_ = false;
};

}  // namespace warpmark::simulator
