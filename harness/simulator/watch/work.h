// What a launch did, counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpmark::simulator {

// Of loads, or of stores. Requests are warp instructions.
struct AccessWork {
  std::uint64_t requests = 0;  // to global memory
  std::uint64_t sectors = 0;   // of 32 bytes
  std::uint64_t shared_requests = 0;
  std::uint64_t wavefronts = 0;  // passes through shared memory
  std::uint64_t conflicts = 0;   // those of them that only bank conflicts ask for
};

struct Work {
  std::uint64_t instructions = 0;  // of warps
  std::uint64_t active_lanes = 0;  // of all of these
  std::uint64_t divergent_branches = 0;
  AccessWork loads;
  AccessWork stores;
  std::uint64_t global_atomics = 0;        // of threads
  std::uint64_t same_address_atomics = 0;  // of them, those that wait for a lower lane of their warp
  std::uint64_t barriers = 0;              // completed by a block
  std::uint64_t shuffles = 0;              // of warps

  Work& operator+=(const Work& other);
};

struct LineWork {
  std::string file;  // as the compiler was given it
  int line = 0;
  Work work;
};

struct LaunchWork {
  Work total;
  std::vector<LineWork> lines;  // sorted by file and line; code of no known line is only in the total
};

}  // namespace warpmark::simulator
