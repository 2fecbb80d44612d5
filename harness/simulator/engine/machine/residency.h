// Schedules the blocks of a launch on a host thread.
//
// A host thread runs blocks one after another. A block that exceeds its instruction allowance may be waiting
// for a block that has not started, so further blocks then start and take turns with it, until it ends or no
// block makes progress. In a cooperative launch all blocks start before any passes a grid barrier.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/cluster.h"

namespace warpmark::simulator {

class Residency {
 public:
  struct Turn {
    std::uint64_t position;  // index of the block in the launch's execution order
    std::uint64_t index;     // linear index of the block in the grid
  };
  // Callbacks of the block scheduler: `next` returns the next block to start, or nullopt if none is left (its
  // argument: running blocks may be waiting for that one); `ended` is called per block that ends, `lasts` per
  // block that outlives its first turn.
  Residency(LaunchState& launch, std::function<std::optional<Turn>(bool awaited)> next,
            std::function<void()> ended, std::function<void()> lasts)
      : launch_(launch), next_(std::move(next)), tell_(std::move(ended)), lasts_(std::move(lasts)) {}

  void work();  // runs blocks until none is left or one has stopped with a fatal finding
  // Runs a cooperative launch: starts all blocks of the grid before any passes a grid barrier.
  void work_cooperative();
  // Runs the launch's thread block clusters one after another, the blocks of each concurrently.
  void work_clusters();

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
  // True if all resident blocks repeat their state, and so do the blocks of all other host threads, so that
  // no store can end the loops.
  [[nodiscard]] bool goes_round();
  void set_going_round(bool value);
  [[nodiscard]] bool all_wait_for_grid() const;
  void pass_grid_barrier();
  bool begin_cluster();

  LaunchState& launch_;
  std::function<std::optional<Turn>(bool awaited)> next_;
  std::function<void()> tell_;
  std::function<void()> lasts_;
  std::vector<Resident> residents_;
  std::unique_ptr<Block> spare_;  // finished block object, to be reused for the next block
  // Thread block cluster whose blocks are running; nullopt in a launch without clusters.
  std::optional<Cluster> cluster_;
  // Finished blocks of the running thread block cluster, whose shared memory must remain until all blocks
  // of the cluster have ended.
  std::vector<std::unique_ptr<Block>> of_cluster_;
  std::uint64_t ended_ = 0;
  // warp instructions since a block last ended or reached a grid barrier
  std::uint64_t without_progress_ = 0;
  double since_ = 0;  // processor time, in seconds, when a block last ended or reached a grid barrier
  bool going_round_ = false;
  bool stopped_ = false;
};

}  // namespace warpmark::simulator
