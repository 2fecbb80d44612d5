// Observes a launch with the race detector, the performance counters, or both.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/operations/observer.h"
#include "harness/simulator/watch/counters.h"
#include "harness/simulator/watch/footprint.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {

// What is recorded of a launch.
struct WatchOptions {
  bool check_accesses = false;             // detect races and uninitialised reads
  bool all_rules = false;                  // disables the race detector's fast paths; tests compare the two
  bool count_work = false;                 // count for work()
  FootprintRecorder* footprint = nullptr;  // records the accesses' addresses; may be null
};

class LaunchWatch final : public LaunchObserver {
 public:
  LaunchWatch(const Program& program, const ProgramFunction& kernel, const DeviceMemory& memory,
              std::uint64_t blocks, const WatchOptions& options);

  std::unique_ptr<BlockObserver> observe(Block& block) override;
  void grid_barrier() override;
  // Null if work is not counted; valid after all blocks have ended.
  [[nodiscard]] std::optional<LaunchWork> work() const;

 private:
  friend class BlockWatch;
  std::optional<LaunchShadow> shadow_;
  FootprintRecorder* footprint_;  // not owned; records the accesses' addresses; null if not wanted
  bool all_rules_;
  std::mutex order_;  // serialises atomic operations and strong accesses of all blocks
  std::mutex mutex_;
  std::optional<LaunchCounters> counters_;  // sum over the blocks' observers that were destroyed
};

// Handles all events of a block except accesses; accesses.cpp adds these, compiled once per instruction-set
// variant.
class BlockWatch : public BlockObserver, public OutsideStores {
 public:
  BlockWatch(Block& block, LaunchWatch& launch);
  ~BlockWatch() override;  // adds its counts and recorded addresses to the launch's
  BlockWatch(const BlockWatch&) = delete;
  BlockWatch& operator=(const BlockWatch&) = delete;

  void block_begins(std::uint64_t index) override;
  std::unique_lock<std::mutex> order() override;
  void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) override;
  void barrier(const Instruction* instruction) override;
  void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) override;
  void completed(std::uint64_t barrier, const Instruction& instruction) override;
  void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) override;
  void synchronised(std::size_t warp, std::uint32_t lanes) override;
  void diverged(const Instruction& instruction) override;
  void shuffled(const Instruction& instruction) override;
  ExecutionCount* execution_counts() override;
  void set_from_outside(Address offset, unsigned bytes) override;

 protected:
  std::unique_ptr<BlockShadow> shadow_;       // null if accesses are not checked
  std::unique_ptr<LaunchCounters> counters_;  // null if work is not counted
  FootprintRecorder* const footprint_;        // null if addresses are not recorded
  FootprintPages touched_;                    // addresses recorded so far, merged into footprint_ at the end

 private:
  LaunchWatch& launch_;
};

namespace baseline {
std::unique_ptr<BlockObserver> observer_of(Block& block, LaunchWatch& launch, bool all_rules);
}
namespace avx2 {
std::unique_ptr<BlockObserver> observer_of(Block& block, LaunchWatch& launch, bool all_rules);
}
namespace avx512 {
std::unique_ptr<BlockObserver> observer_of(Block& block, LaunchWatch& launch, bool all_rules);
}

}  // namespace warpmark::simulator
