// Host memory that the program registered (cudaHostRegister), if the program is another process. Kernels use
// a copy: it is fetched when a kernel first accesses the memory and written back after the launch. The
// program cannot observe the copy, because a launch runs synchronously.
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
  // Fetches the allocation before a kernel's first access to it. Thread-safe.
  void bring(const Allocation& allocation);
  // Writes back only the bytes that changed since bring(), because the program's other threads may be writing
  // to the rest. Must not run concurrently with a kernel.
  void give_back() const;

 private:
  struct Piece {
    Allocation allocation;
    std::atomic<bool> is_here{false};
    std::vector<std::byte> before;
  };
  std::mutex mutex_;
  std::map<Address, Piece> pieces_;  // by begin address
};

}  // namespace warpmark::simulator
