// What observes a running kernel. The machine knows these interfaces alone; watch/ implements them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "harness/simulator/operations/context.h"

namespace warpmark::simulator {

class Block;

// Where the lanes of an access were found.
struct Located {
  enum class Kind : std::uint8_t {
    flat,       // host address = device address + delta
    row,        // the same local address in all lanes: words side by side at `row`
    scattered,  // a slot each
    failed,
  };
  Kind kind = Kind::failed;
  std::ptrdiff_t delta = 0;
  std::byte* row = nullptr;
  std::ptrdiff_t shadow = kNoShadow;  // of flat global memory: place in the shadow - device address
};

// The events of the blocks that a host thread runs one after the other.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void block_begins(std::uint64_t index) = 0;
  // Once a warp instruction: after its lanes were located and before data moves.
  virtual void accessed(Context& context, const Instruction& instruction, Access access, const Located& at,
                        const Slots& slots) = 0;
  // To be held over accessed() and the moving of the data, for accesses that threads may wait for each other
  // by: then they are seen in the order in which they happen. No lock where that does not matter.
  virtual std::unique_lock<std::mutex> order() = 0;
  virtual void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) = 0;
  // All threads of the block met; null: at a barrier of the grid.
  virtual void barrier(const Instruction* instruction) = 0;
  // Barriers for part of the block, by a name that no two have at a time: lanes arrive, all that they wait
  // for have arrived, lanes that have waited go on.
  virtual void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) = 0;
  virtual void completed(std::uint64_t barrier, const Instruction& instruction) = 0;
  virtual void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) = 0;
  virtual void synchronised(std::size_t warp, std::uint32_t lanes) = 0;
  virtual void diverged(const Instruction& instruction) = 0;
  virtual void shuffled(const Instruction& instruction) = 0;
  // By pc, where warps count what they execute; null: not asked for.
  virtual ExecutionCount* execution_counts() = 0;
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  // From any host thread. The observer belongs to the block and ends before this does.
  virtual std::unique_ptr<BlockObserver> observe(Block& block) = 0;
  virtual void grid_barrier() = 0;  // while all blocks wait
};

}  // namespace warpmark::simulator
