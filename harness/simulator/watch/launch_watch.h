// Connects the executing engine with the race detector, the performance counters and the footprint recorder
// of a launch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/operations/observer.h"
#include "harness/simulator/watch/counters.h"
#include "harness/simulator/watch/footprint.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {

// Selects which observers of a kernel launch are active.
struct WatchOptions {
  bool check_accesses = false;  // turns on the race detector, which also reports uninitialised reads
  // disables the race detector's fast paths; tests compare both modes
  bool all_rules = false;
  bool count_work = false;  // enables the performance counters (LaunchWatch::work())
  // With count_work: keeps, per source line, the access of the first block with the most sectors, or passes
  // in shared memory, beyond the fewest possible (LineWork::costly).
  bool keep_costly = false;
  // Receives the addresses that the kernel accesses; not owned; null: addresses are not recorded.
  FootprintRecorder* footprint = nullptr;
};

class LaunchWatch final : public LaunchObserver {
 public:
  LaunchWatch(const Program& program, const ProgramFunction& kernel, const DeviceMemory& memory,
              std::uint64_t blocks, const WatchOptions& options);

  std::unique_ptr<BlockObserver> observe(Block& block) override;
  void grid_barrier() override;
  // Returns the performance counters of a kernel launch, or nullopt if WatchOptions::count_work is false.
  // Call it after all blocks have ended.
  [[nodiscard]] std::optional<LaunchWork> work() const;

 private:
  friend class BlockWatch;
  std::optional<LaunchShadow> shadow_;
  // recorder of the addresses that the kernel launch accesses; not owned; null if addresses are not recorded
  FootprintRecorder* footprint_;
  bool all_rules_;
  // Lock that serialises the atomic operations and strong accesses of all blocks of a launch.
  std::mutex order_;
  std::mutex mutex_;
  // Costliest access of the first block by line, where it costs more than it need.
  struct Costly {
    unsigned excess = 0;
    WarpAccess access;
  };
  bool keep_costly_;
  std::map<std::pair<std::string, int>, Costly> costly_;  // by file and line
  // performance counters, summed over all blocks whose observers have been destroyed
  std::optional<LaunchCounters> counters_;
};

// Forwards a block's events (barriers, fences, shuffles, ...) to the race detector and the counters. Memory
// accesses are handled by a derived class in accesses.cpp, which is compiled once per instruction set
// (baseline, AVX2, AVX-512).
class BlockWatch : public BlockObserver, public OutsideStores {
 public:
  BlockWatch(Block& block, LaunchWatch& launch);
  // Adds the performance counters and recorded addresses of this block to those of the whole kernel launch.
  ~BlockWatch() override;
  BlockWatch(const BlockWatch&) = delete;
  BlockWatch& operator=(const BlockWatch&) = delete;

  void block_begins(std::uint64_t index) override;
  std::unique_lock<std::mutex> order() override;
  void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) override;
  void barrier(const Instruction* instruction) override;
  void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) override;
  void completed(std::uint64_t barrier, const Instruction& instruction) override;
  void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) override;
  void copy_started(std::size_t warp, unsigned lane, Address offset, unsigned bytes,
                    const Instruction& instruction) override;
  void copies_committed(std::size_t warp, std::uint32_t lanes) override;
  void copies_awaited(std::size_t warp, std::uint32_t lanes, std::uint64_t prior) override;
  void synchronised(std::size_t warp, std::uint32_t lanes) override;
  void diverged(const Instruction& instruction) override;
  void shuffled(const Instruction& instruction) override;
  ExecutionCount* execution_counts() override;
  void executed(std::size_t warp, std::uint64_t instructions, unsigned lanes) override;
  void set_from_outside(Address offset, unsigned bytes) override;

 protected:
  std::unique_ptr<BlockShadow> shadow_;       // race detector of the block; null if accesses are not checked
  std::unique_ptr<LaunchCounters> counters_;  // performance counters; null if they are not requested
  // recorder of the addresses that the kernel accesses; null if addresses are not recorded
  FootprintRecorder* const footprint_;
  // addresses that this block has accessed, merged into footprint_ by the destructor
  FootprintPages touched_;
  bool keeps_costly_ = false;  // true in the launch's first block, if LaunchWatch::keep_costly_
  void keep_costly(const Context& context, const Touch& touch);

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
