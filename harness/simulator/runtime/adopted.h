// Memory of the program's own that it registered (cudaHostRegister), where the program is another process:
// what a kernel sees of it is a copy, brought here when the kernel first reaches it and back after the
// launch. Work ends at the call, so that nobody can tell.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

class AdoptedMemory {
 public:
  explicit AdoptedMemory(const DeviceMemory& memory);
  // A kernel is about to reach it. From any host thread.
  void bring(const Allocation& allocation);
  // Takes back what was changed since, and nothing else: the program's other threads go on meanwhile. No
  // kernel runs.
  void give_back() const;

 private:
  struct Piece {
    Allocation allocation;
    std::atomic<bool> is_here{false};
    std::vector<std::byte> before;
  };
  std::mutex mutex_;
  std::map<Address, Piece> pieces_;  // by their begin
};

}  // namespace warpmark::simulator
