// Which blocks of a launch run, and when.
//
// A host thread runs one block after the other. When one uses up its instructions, it may wait for a block
// that has not begun: then others get their turns in between, until it ends or none makes progress any
// more. Blocks of a cooperative launch all begin before the first may wait at a barrier of the grid.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/machine/cluster.h"

namespace warpmark::simulator {

class Residency {
 public:
  struct Turn {
    std::uint64_t position;  // in the launch's order
    std::uint64_t index;     // of the block
  };
  // `next` says which block begins, empty when none is left; awaited: blocks that have begun may wait for it.
  // `ended` is called for each that has, `lasts`
  // when one takes long.
  Residency(LaunchState& launch, std::function<std::optional<Turn>(bool awaited)> next,
            std::function<void()> ended, std::function<void()> lasts)
      : launch_(launch), next_(std::move(next)), tell_(std::move(ended)), lasts_(std::move(lasts)) {}

  void work();              // until no block is left, or one stops
  void work_cooperative();  // the whole grid
  void work_clusters();     // where a turn is that of a cluster

 private:
  struct Resident {
    std::unique_ptr<Block> block;
    bool waits_for_grid = false;
    bool done = false;
  };

  void run_blocks();
  [[nodiscard]] Block::Progress run_alone(Block& block);
  bool begin_next(Block& block, bool awaited);
  bool take_turns();
  bool begin_beside();
  void give_turn(Resident& resident, std::uint64_t instructions);
  void note(Resident& resident, Block::Progress progress, std::uint64_t instructions);
  [[nodiscard]] bool goes_round();  // without a change, and no other host thread's blocks can help
  void set_going_round(bool value);
  [[nodiscard]] bool all_wait_for_grid() const;
  void pass_grid_barrier();
  bool begin_cluster();

  LaunchState& launch_;
  std::function<std::optional<Turn>(bool awaited)> next_;
  std::function<void()> tell_;
  std::function<void()> lasts_;
  std::vector<Resident> residents_;
  std::unique_ptr<Block> spare_;                    // ended: for the next one
  std::optional<Cluster> cluster_;                  // whose blocks the residents are
  std::vector<std::unique_ptr<Block>> of_cluster_;  // that have ended: their memory stays until all have
  std::uint64_t ended_ = 0;
  std::uint64_t without_progress_ = 0;  // instructions since a block ended or came to the grid's barrier
  double since_ = 0;                    // processor time then, in seconds
  bool going_round_ = false;
  bool stopped_ = false;
};

}  // namespace warpmark::simulator
