// Interfaces through which a running kernel reports its events to the race detector and the counters, which
// watch/ implements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

class Block;

// Value of BlockObserver::copies_awaited()'s `prior`.
inline constexpr std::uint64_t kAllCopies = UINT64_MAX;

// Result of translating a warp's memory access to host addresses.
struct Located {
  enum class Kind : std::uint8_t {
    flat,       // access with host address = device address + delta in every lane
    row,        // local-memory access at one address for all lanes: their words are consecutive from `row` on
    scattered,  // access with a separate host address per lane, in an array of type Slots
    failed,
  };
  Kind kind = Kind::failed;
  std::ptrdiff_t delta = 0;
  std::byte* row = nullptr;
  // Global-memory accesses with one host-device distance for all lanes (`flat`): the offset in the race
  // detector's shadow minus the device address.
  std::ptrdiff_t shadow = kNoShadow;
};

// Interface through which a running thread block reports its events (memory accesses, barriers, fences) to
// the race detector and the counters. One object serves, one after another, all blocks that one Block object
// runs.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void block_begins(std::uint64_t index) = 0;
  // Called once per memory access of a warp instruction, after the lanes' addresses were translated and
  // before data moves.
  virtual void accessed(Context& context, const Instruction& instruction, Access access, const Located& at,
                        const Slots& slots) = 0;
  // Returns a lock to be held across accessed() and the data movement of accesses with which threads may
  // synchronise, so that the observer sees them in the order in which they take effect. The lock is empty if
  // no order is needed.
  virtual std::unique_lock<std::mutex> order() = 0;
  virtual void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) = 0;
  // Called when all threads of the block have passed a barrier. instruction: null for a grid barrier.
  virtual void barrier(const Instruction* instruction) = 0;
  // Events of barriers for part of the block, each identified by a number unique among those in use.
  // arrived(): lanes arrive; completed(): all expected arrivals are there; passed(): waiting lanes continue.
  virtual void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) = 0;
  virtual void completed(std::uint64_t barrier, const Instruction& instruction) = 0;
  virtual void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) = 0;
  // Asynchronous copies to shared memory. copy_started(): a lane has begun one, to `bytes` bytes at this
  // offset. copies_committed(): the lanes' copies since the last call are a group. copies_awaited(): the
  // lanes have waited until at most `prior` of their latest groups are left; kAllCopies: for all copies,
  // those of no group as well.
  virtual void copy_started(std::size_t warp, unsigned lane, Address offset, unsigned bytes,
                            const Instruction& instruction) = 0;
  virtual void copies_committed(std::size_t warp, std::uint32_t lanes) = 0;
  virtual void copies_awaited(std::size_t warp, std::uint32_t lanes, std::uint64_t prior) = 0;
  virtual void synchronised(std::size_t warp, std::uint32_t lanes) = 0;
  virtual void diverged(const Instruction& instruction) = 0;
  virtual void shuffled(const Instruction& instruction) = 0;
  // Returns counters, indexed by pc, that warps increment as they execute; null if executions are not
  // counted.
  virtual ExecutionCount* execution_counts() = 0;
  // Called, if executions are counted, after a warp has executed some instructions with the same number of
  // active lanes.
  virtual void executed(std::size_t warp, std::uint64_t instructions, unsigned lanes) = 0;
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  // Creates the race detector and counters of one thread block. The result must be destroyed before the
  // launch-wide observer. Thread-safe.
  virtual std::unique_ptr<BlockObserver> observe(Block& block) = 0;
  virtual void grid_barrier() = 0;  // callback: all thread blocks wait at a grid barrier
};

}  // namespace warpmark::simulator
