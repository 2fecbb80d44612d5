// Which accesses of one block another may count on: those that came before a fence, which came before an
// atomic operation or a strong store, which the other block saw by an atomic operation or a strong load of
// the same address. The last block of a grid adds up partial sums that way; spin locks and flags work that
// way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace warpmark::simulator {

// The accesses of a block that a release makes visible. Clocks count from the block's begin.
struct Released {
  struct OfWarp {
    std::uint32_t lanes = 0;  // whose accesses before the clock are covered
    std::uint64_t before = 0;
    bool operator==(const OfWarp&) const = default;
  };
  std::uint64_t before = 0;     // all accesses of the block before this clock
  std::vector<OfWarp> of_warp;  // by warp; may be empty

  [[nodiscard]] bool covers(std::uint32_t thread, std::uint64_t clock) const;
  bool operator==(const Released&) const = default;
};

// Of an address in Acquired: seen by an operation that is atomic within the block alone, so of its releases
// only.
inline constexpr std::uint64_t kSeenInBlock = std::uint64_t{1} << 62;

// What a warp has seen: of each address, how many of its releases.
using Acquired = std::map<std::uint64_t, std::size_t>;
void merge(Acquired& into, const Acquired& more);

class Publication {
 public:
  // A release at the address, by a block that had itself acquired what `known` says. A fence of the block
  // only (cta) releases to the own block, any other to all.
  void release(std::uint64_t address, std::uint64_t block, const Released& to_block, const Released& to_all,
               const Acquired& known);
  // in_block: by an operation that is atomic within the block alone. False: nothing was released there.
  bool acquire(std::uint64_t address, std::uint64_t block, bool in_block, Acquired& known);
  // Whether a block has released at the address before what was acquired there.
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
    Acquired known;  // by all threads that released here
  };
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Releases> by_address_;
  std::size_t entries_ = 0;
  bool given_up_ = false;
};

}  // namespace warpmark::simulator
