// Performance counters of a kernel launch, named after those of Nsight Compute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/evidence.h"
#include "harness/base/instruction_group.h"

namespace warpmark::simulator {

// Memory counters of a kernel launch, kept separately for loads and for stores. A request is one warp
// instruction.
struct AccessWork {
  std::uint64_t requests = 0;  // number of warp instructions that access global memory
  std::uint64_t sectors = 0;   // number of 32-byte sectors of global memory that the requests touch
  std::uint64_t shared_requests = 0;
  std::uint64_t wavefronts = 0;  // passes (wavefronts) that shared-memory accesses take
  std::uint64_t conflicts = 0;   // additional wavefronts due to bank conflicts
};

struct Work {
  std::uint64_t instructions = 0;  // executed warp instructions
  std::uint64_t active_lanes = 0;  // active lanes, summed over all executed warp instructions
  std::uint64_t divergent_branches = 0;
  AccessWork loads;
  AccessWork stores;
  std::uint64_t global_atomics = 0;  // atomic operations on global memory, counted per lane
  // Global atomics that wait because a lower lane of the warp updates the same address.
  std::uint64_t same_address_atomics = 0;
  std::uint64_t shared_atomics = 0;   // atomic operations on shared memory, counted per lane
  std::uint64_t stored_values = 0;    // stores to global memory, counted per lane
  std::uint64_t real_operations = 0;  // floating-point operations, counted per lane
  std::uint64_t barriers = 0;         // completed block barriers, counted once per block
  std::uint64_t shuffles = 0;         // executed warp instructions that are a shuffle or a reduction
  // Accesses that read memory and are in no counter of Nsight Compute's for loads: atomic operations on
  // global memory, with the sectors that they touch, and loads of constant memory, whose cache answers one
  // address at a time, so that each distinct address of a warp's load is a request and a sector.
  std::uint64_t other_requests = 0;
  std::uint64_t other_sectors = 0;

  Work& operator+=(const Work& other);
};

struct LineWork {
  std::string file;  // path of the source file, as recorded by the compiler
  int line = 0;
  Work work;
  std::optional<WarpAccess> costly = {};  // its costliest access of the first block, if asked for
};

// Work of one warp or block.
struct Share {
  std::uint64_t sectors = 0;            // sectors that its loads and other reads touch
  std::uint64_t instructions = 0;       // executed instructions, summed over its threads
  std::uint64_t warp_instructions = 0;  // executed instructions, once per warp

  void operator+=(const Share& other) {
    sectors += other.sectors;
    instructions += other.instructions;
    warp_instructions += other.warp_instructions;
  }
};

// Sums of the squares of shares. Together with the sums they tell among how many warps or blocks the work is
// spread: sum^2 / sum of squares is their number if all shares are equal, and 1 if one does everything.
struct Squares {
  double sectors = 0;
  double instructions = 0;

  void add(const Share& share) {
    sectors += static_cast<double>(share.sectors) * static_cast<double>(share.sectors);
    instructions += static_cast<double>(share.instructions) * static_cast<double>(share.instructions);
  }
  void operator+=(const Squares& other) {
    sectors += other.sectors;
    instructions += other.instructions;
  }
};

// Executions, by all warps of a launch, of one instruction that counts as work of a group.
struct Executions {
  InstructionGroup group = InstructionGroup::real_arithmetic;
  std::uint32_t pc = 0;
  std::uint64_t count = 0;
};

struct LaunchWork {
  Work total;
  Squares of_warps;
  Squares of_blocks;
  std::uint64_t longest_warp = 0;  // the most warp instructions that one warp executes
  // Performance counters per source line, sorted by file and line. Instructions without a known line count
  // only in `total`.
  std::vector<LineWork> lines;
  std::vector<Executions> executions;  // by group and pc
};

}  // namespace warpmark::simulator
