// The device heap: serves malloc() and new in kernels until free(), delete or the end of the program.
//
// Theory of operation. Heap blocks are carved out of chunks of device memory. A launch's list of allocations
// excludes the chunks, so that each access to the heap is looked up here, which detects out-of-bounds
// accesses and use after free. Freed blocks stay in quarantine and are reused only once it exceeds a size
// limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/simulator/engine/machine/allocation_views.h"
#include "harness/simulator/engine/machine/finding.h"
#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

class DeviceHeap {
 public:
  // Source location of a malloc() or new expression.
  struct Site {
    std::string kernel;
    std::string file;  // name of the source file that calls malloc() or new, without directories
    int line = 0;
  };
  enum class Freed : std::uint8_t { now, before, never_allocated };

  explicit DeviceHeap(DeviceMemory& memory) : memory_(memory) {}

  // The device heap's functions from allocate() to below() are thread-safe, as malloc() in kernels requires.
  // allocate() returns a 16-byte aligned address, or 0 if the heap's size limit or the device memory is
  // exhausted.
  Address allocate(std::size_t bytes, const Site& site);
  Freed free(Address begin);
  // Returns the bounds of the last device-heap block that begins at or before the address, or null outside
  // the heap. The pointed-to record stays unchanged until the heap is reset: freeing a block adds a new
  // record, so that a concurrent reader is safe.
  [[nodiscard]] const AllocationView* below(Address address) const;

  // Device-heap maintenance (set_limit(), leaks(), clear()) is not synchronised: call it only while no kernel
  // runs.
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  // Returns one leak finding per source line whose heap blocks were never freed.
  [[nodiscard]] std::vector<Finding> leaks() const;
  // Removes all blocks from the device heap. The caller frees the device memory under them by resetting the
  // device.
  void clear();

 private:
  struct Block {
    std::shared_ptr<const AllocationView> view;
    Site site;
  };
  struct Chunk {
    Address begin = 0;
    std::size_t bytes = 0;
    std::size_t used = 0;
  };
  Address place_for(std::size_t bytes);

  DeviceMemory& memory_;
  mutable std::mutex mutex_;
  std::size_t limit_ = std::size_t{8} << 20;
  std::size_t live_bytes_ = 0;
  std::size_t quarantined_ = 0;  // bytes of freed heap blocks in quarantine, not yet reusable
  std::map<Address, Block> blocks_;
  // begin addresses of the quarantined (freed, not yet reusable) blocks, by block size
  std::map<std::size_t, std::deque<Address>> freed_;
  // Former records of device-heap blocks' bounds and state, kept because callers of below() may still hold
  // pointers to them.
  std::vector<std::shared_ptr<const AllocationView>> past_;
  std::vector<Chunk> chunks_;
};

}  // namespace warpmark::simulator
