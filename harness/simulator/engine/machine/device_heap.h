// The device heap: serves malloc() and new in kernels until free(), delete or the end of the program.
//
// Theory of operation. Heap blocks are carved out of chunks of device memory. The chunks are not among a
// launch's allocations, so each access to the heap is looked up here, which detects out-of-bounds accesses
// and use after free. Freed blocks stay in quarantine until it is large.
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
  // Source location of an allocation.
  struct Site {
    std::string kernel;
    std::string file;  // without directories
    int line = 0;
  };
  enum class Freed : std::uint8_t { now, before, never_allocated };

  explicit DeviceHeap(DeviceMemory& memory) : memory_(memory) {}

  // The functions down to below() are thread-safe. allocate() returns an address aligned to 16 bytes, or 0 if
  // the limit or the memory is exhausted.
  Address allocate(std::size_t bytes, const Site& site);
  Freed free(Address begin);
  // Returns the last heap block that begins at or before the address in the same chunk, or null. The pointer
  // is valid until clear(); freeing the block creates a new view and leaves this one unchanged.
  [[nodiscard]] const AllocationView* below(Address address) const;

  // The functions below may only be called between launches.
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  // Returns one finding per source line for the blocks that were not freed.
  [[nodiscard]] std::vector<Finding> leaks() const;
  // Forgets all blocks. The caller releases the device memory itself by resetting the device.
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
  std::size_t quarantined_ = 0;  // bytes in quarantine
  std::map<Address, Block> blocks_;
  std::map<std::size_t, std::deque<Address>> freed_;  // quarantined blocks by size
  // Outdated views of blocks, kept because pointers to them may be in use
  std::vector<std::shared_ptr<const AllocationView>> past_;
  std::vector<Chunk> chunks_;
};

}  // namespace warpmark::simulator
