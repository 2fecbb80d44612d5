// Copies of host memory that the program registered (cudaHostRegister), if the program is another process. A
// copy is fetched when a kernel first accesses the memory and written back after the launch. The program
// cannot observe this, because a launch runs synchronously.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

class AdoptedMemory {
 public:
  explicit AdoptedMemory(const DeviceMemory& memory);
  // Fetches the contents of a registered allocation, once, before a kernel's first access to it. Thread-safe.
  void bring(const Allocation& allocation);
  // Writes kernels' changes of registered host memory back to the CUDA program, and only changed bytes,
  // because other threads of the program may be writing to the rest. Must not run concurrently with a kernel.
  void give_back() const;

 private:
  struct Piece {
    Allocation allocation;
    std::atomic<bool> is_here{false};
    std::vector<std::byte> before;
  };
  std::mutex mutex_;
  std::map<Address, Piece> pieces_;  // registered host allocations of another process, keyed by begin address
};

}  // namespace warpmark::simulator
