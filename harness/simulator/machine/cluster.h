// The blocks of a cluster. They run at the same time, reach each other's shared memory, and meet at a barrier
// of their own. What one does to another's shared memory is looked at here: their own accesses to theirs are
// watch/'s, which knows one block.
//
// Theory of operation. The cluster's barriers count epochs. Of a word it is known who stored and who read
// last, in which epoch; of two blocks' accesses in one epoch, one of which stores and which are not both
// atomic, nothing says which comes first. A block has to have begun when another reaches its memory, and must
// not have ended: both takes a barrier of the cluster in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/watch/touch.h"

namespace warpmark::simulator {

// A generic address of the shared memory of the block of rank r lies (r + 1) steps behind the own window's
// begin.
inline constexpr std::size_t kClusterStep = std::size_t{1} << 20;
inline constexpr unsigned kMostBlocksInCluster = 8;
static_assert((kMostBlocksInCluster + 1) * kClusterStep <= kWindowBytes);

class Cluster {
 public:
  explicit Cluster(LaunchState& launch) : launch_(launch) {}

  // Its blocks by rank; all of them begin.
  void begin(std::vector<Block*> blocks);
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(blocks_.size()); }
  [[nodiscard]] Block& block(unsigned rank) { return *blocks_[rank]; }
  void barrier() { ++epoch_; }
  void ended(unsigned rank) { ended_at_[rank] = epoch_; }
  void finish();  // all have ended

  // A block's access to its own shared memory, or to another's: addresses are offsets there.
  void touched(const Context& context, const Touch& touch, unsigned by, unsigned of);

 private:
  // Of a word. epoch 0: never.
  struct Last {
    std::uint64_t epoch = 0;
    std::uint32_t thread = 0;
    std::uint32_t location = 0;
    std::uint8_t rank = 0;
    std::uint8_t bytes = 0;
    bool atomic = false;
  };
  struct Word {
    Last writer;
    std::array<Last, 2> readers;  // of different blocks
    std::uint8_t set = 0;         // bytes that somebody has stored
  };
  struct Reached {
    std::uint64_t epoch = 0;
    std::uint32_t location = 0;
    std::uint8_t by = 0;
    bool told_begin = false;
  };

  void touch_word(const Context& context, const Touch& touch, unsigned lane, Word& word, const Last& mine,
                  unsigned of);
  void report_race(const Context& context, const Touch& touch, unsigned lane, const Last& mine,
                   const Last& old, bool wrote, unsigned of);
  void report_unset(const Context& context, const Touch& touch, unsigned lane, unsigned by, unsigned of);
  void report_not_begun(const Context& context, const Touch& touch, unsigned by, unsigned of);
  void add(CauseKind kind, std::uint32_t location, int other_line, std::string message);
  [[nodiscard]] std::string name_of(const Last& who) const;

  LaunchState& launch_;
  std::vector<Block*> blocks_;
  std::vector<std::vector<Word>> words_;  // by rank
  std::vector<Reached> reached_;          // by the rank whose memory it is
  std::vector<std::uint64_t> ended_at_;
  std::uint64_t epoch_ = 0;
  std::uint64_t first_epoch_ = 0;
};

}  // namespace warpmark::simulator
