// Performance counters of a launch, named after those of Nsight Compute.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpmark::simulator {

// Counts of loads, or of stores. A request is one warp instruction.
struct AccessWork {
  std::uint64_t requests = 0;  // to global memory
  std::uint64_t sectors = 0;   // of 32 bytes
  std::uint64_t shared_requests = 0;
  std::uint64_t wavefronts = 0;  // passes through shared memory
  std::uint64_t conflicts = 0;   // wavefronts that are due to bank conflicts
};

struct Work {
  std::uint64_t instructions = 0;  // executed warp instructions
  std::uint64_t active_lanes = 0;  // summed over all warp instructions
  std::uint64_t divergent_branches = 0;
  AccessWork loads;
  AccessWork stores;
  std::uint64_t global_atomics = 0;  // one per participating lane
  // Global atomics serialised behind a lower lane of the warp at the same address.
  std::uint64_t same_address_atomics = 0;
  std::uint64_t barriers = 0;  // completed barriers per block
  std::uint64_t shuffles = 0;  // warp instructions

  Work& operator+=(const Work& other);
};

struct LineWork {
  std::string file;  // as the compiler recorded it
  int line = 0;
  Work work;
};

struct LaunchWork {
  Work total;
  // Sorted by file and line; instructions without a known line count in the total only.
  std::vector<LineWork> lines;
};

}  // namespace warpmark::simulator
