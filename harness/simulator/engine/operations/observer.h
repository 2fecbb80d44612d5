// Interfaces through which the machine reports events of a running kernel. Implemented in watch/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

class Block;

// Result of locating an access's lanes.
struct Located {
  enum class Kind : std::uint8_t {
    flat,       // host address = device address + delta
    row,        // all lanes have the same local address: consecutive words at `row`
    scattered,  // each lane has its own slot
    failed,
  };
  Kind kind = Kind::failed;
  std::ptrdiff_t delta = 0;
  std::byte* row = nullptr;
  std::ptrdiff_t shadow = kNoShadow;  // flat global memory: shadow offset minus device address
};

// Receives the events of all blocks that one host thread runs, one after another.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void block_begins(std::uint64_t index) = 0;
  // Called once per warp instruction, after its lanes were located and before data moves.
  virtual void accessed(Context& context, const Instruction& instruction, Access access, const Located& at,
                        const Slots& slots) = 0;
  // Returns a lock to be held across accessed() and the data movement, for accesses with which threads may
  // synchronise, so that the observer sees them in the order in which they happen. The lock is empty if no
  // order is needed.
  virtual std::unique_lock<std::mutex> order() = 0;
  virtual void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) = 0;
  // All threads of the block have passed a barrier; instruction is null for a grid barrier.
  virtual void barrier(const Instruction* instruction) = 0;
  // Barriers for part of the block, identified by a number unique among those in use: lanes arrive; all
  // expected arrivals are there; lanes that have waited continue.
  virtual void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) = 0;
  virtual void completed(std::uint64_t barrier, const Instruction& instruction) = 0;
  virtual void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) = 0;
  virtual void synchronised(std::size_t warp, std::uint32_t lanes) = 0;
  virtual void diverged(const Instruction& instruction) = 0;
  virtual void shuffled(const Instruction& instruction) = 0;
  // Counters indexed by pc that warps increment as they execute; null if not wanted.
  virtual ExecutionCount* execution_counts() = 0;
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  // Thread-safe. The observer belongs to the block and must be destroyed before this object.
  virtual std::unique_ptr<BlockObserver> observe(Block& block) = 0;
  virtual void grid_barrier() = 0;  // called while all blocks wait
};

}  // namespace warpmark::simulator
