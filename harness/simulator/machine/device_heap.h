// The heap of the device: what malloc() and new give a kernel, until free(), delete or the end of the
// program.
//
// Theory of operation. Blocks are cut out of chunks of device memory that no launch knows as allocations, so
// that each access to them is looked up here and finds the block's end, or that it was freed. Freed blocks
// stay in quarantine until much is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/simulator/machine/allocation_views.h"
#include "harness/simulator/machine/finding.h"
#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

class DeviceHeap {
 public:
  // Where in the program a block was allocated.
  struct Site {
    std::string kernel;
    std::string file;  // without folders
    int line = 0;
  };
  enum class Freed : std::uint8_t { now, before, never_allocated };

  explicit DeviceHeap(DeviceMemory& memory) : memory_(memory) {}

  // All of these from any host thread. A block's address, aligned to 16; 0 where the limit, or memory, does
  // not suffice.
  Address allocate(std::size_t bytes, const Site& site);
  Freed free(Address begin);
  // The last block that begins at the address or before it, in the same chunk; null: none. Valid until
  // clear(); a block that is freed afterwards is another object.
  [[nodiscard]] const AllocationView* below(Address address) const;

  // Between launches.
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  // Of blocks that were not freed: one finding a line of the program.
  [[nodiscard]] std::vector<Finding> leaks() const;
  // The memory itself is released by the caller, who resets the device.
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
  std::size_t quarantined_ = 0;  // bytes
  std::map<Address, Block> blocks_;
  std::map<std::size_t, std::deque<Address>> freed_;         // by size
  std::vector<std::shared_ptr<const AllocationView>> past_;  // of blocks that have changed since
  std::vector<Chunk> chunks_;
};

}  // namespace warpmark::simulator
