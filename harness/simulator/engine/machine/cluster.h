// A thread block cluster: blocks that run concurrently, can access each other's shared memory, and have a
// common barrier. Detects races between different blocks of the cluster in shared memory; watch/ detects
// races within one block.
//
// Theory of operation. An epoch counter counts the cluster's barriers. Each word records its last writer and
// readers with their epochs. Two accesses by different blocks in the same epoch race if one is a store and
// they are not both atomic. A block must have started before another accesses its memory, and must not have
// exited: each needs a cluster barrier in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/operations/touch.h"

namespace warpmark::simulator {

// Distance in bytes between the shared memories of a cluster's blocks in the generic address space. The
// memory of rank r begins at the shared window's start plus (r + 1) * kClusterStep.
inline constexpr std::size_t kClusterStep = std::size_t{1} << 20;
inline constexpr unsigned kMostBlocksInCluster = 8;
static_assert((kMostBlocksInCluster + 1) * kClusterStep <= kWindowBytes);

class Cluster {
 public:
  explicit Cluster(LaunchState& launch) : launch_(launch) {}

  // Starts the cluster; blocks[r] is the block with rank r. All blocks start together.
  void begin(std::vector<Block*> blocks);
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(blocks_.size()); }
  [[nodiscard]] Block& block(unsigned rank) { return *blocks_[rank]; }
  void barrier() { ++epoch_; }
  void ended(unsigned rank) { ended_at_[rank] = epoch_; }
  // Reports accesses to the shared memory of a block of the cluster that may have exited, i.e. without a
  // cluster barrier behind them; call when all blocks have exited.
  void finish();

  // Checks an access by the block of rank `by` to the shared memory of the block of rank `of`, which may be
  // the same. The addresses in `touch` are offsets in that memory.
  void touched(const Context& context, const Touch& touch, unsigned by, unsigned of);

 private:
  // Race-detector record of the latest access to a 4-byte word of shared memory in a thread block cluster.
  // Epoch 0: no access so far.
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
    std::array<Last, 2> readers;  // latest readers of a shared-memory word, of two different blocks
    std::uint8_t set = 0;         // bit mask of the word's initialised bytes
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
  // Race-detector records of the shared-memory words of a cluster's blocks: words_[block rank][word].
  std::vector<std::vector<Word>> words_;
  // Per block of the cluster: latest access to its shared memory by another block.
  std::vector<Reached> reached_;
  std::vector<std::uint64_t> ended_at_;
  std::uint64_t epoch_ = 0;
  std::uint64_t first_epoch_ = 0;
};

}  // namespace warpmark::simulator
