// Memory of the program's own that it registered (cudaHostRegister), where the program is another process:
// what a kernel sees of it is a copy, brought here before a launch and back after it. Work ends at the call,
// so that nobody can tell.
#pragma once

#include <vector>

#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

class AdoptedMemory {
 public:
  // Brings all of it here.
  explicit AdoptedMemory(const DeviceMemory& memory);
  // Takes back what was changed since, and nothing else: the program's other threads go on meanwhile.
  void give_back() const;

 private:
  struct Piece {
    Allocation allocation;
    std::vector<std::byte> before;
  };
  std::vector<Piece> pieces_;
};

}  // namespace warpmark::simulator
