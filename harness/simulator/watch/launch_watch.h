// What looks on at a launch: the access shadow, the counters, or both.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/operations/observer.h"
#include "harness/simulator/order/footprint.h"
#include "harness/simulator/watch/counters.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {

struct LaunchOptions;

class LaunchWatch final : public LaunchObserver {
 public:
  LaunchWatch(const Program& program, const ProgramFunction& kernel, const DeviceMemory& memory,
              std::uint64_t blocks, const LaunchOptions& options);

  std::unique_ptr<BlockObserver> observe(Block& block) override;
  void grid_barrier() override;
  [[nodiscard]] std::optional<LaunchWork> work() const;  // once all blocks have ended

 private:
  friend class BlockWatch;
  std::optional<LaunchShadow> shadow_;
  FootprintRecorder* footprint_;  // where accesses are recorded as well, or null
  bool all_rules_;
  std::mutex order_;  // of atomic operations and strong accesses
  std::mutex mutex_;
  std::optional<LaunchCounters> counters_;  // of the blocks that have ended
};

// All of a block's events but its accesses, which are compiled once a variant (accesses.cpp).
class BlockWatch : public BlockObserver, public OutsideStores {
 public:
  BlockWatch(Block& block, LaunchWatch& launch);
  ~BlockWatch() override;  // adds what was counted and recorded to that of the launch
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
  std::unique_ptr<BlockShadow> shadow_;       // null: not asked for
  std::unique_ptr<LaunchCounters> counters_;  // likewise
  FootprintRecorder* const footprint_;        // likewise
  FootprintPages touched_;                    // for it

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
