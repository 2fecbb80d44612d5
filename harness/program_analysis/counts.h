// Sums the counters of all launches of a kernel and derives metrics from them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/wire/observation.h"

namespace warpmark::program_analysis {

struct KernelCounts {
  std::string kernel;
  std::uint64_t launches = 0;
  std::string shape;       // grid and block size of the first launch: "4,096 x 256"
  bool same_shape = true;  // true: all launches have the same grid and block size
  // Maps a counter's name to its sum over all launches; empty if nothing was counted.
  std::map<std::string, double> counters;
  struct Line {
    double instructions = 0, lanes = 0, requests = 0, sectors = 0, shared_requests = 0, conflicts = 0;
  };
  // Sums of counters over all launches, by source file and line.
  std::map<std::pair<std::string, int>, Line> lines;

  // Returns the sum of a counter, 0 if it was not recorded.
  [[nodiscard]] double at(std::string_view counter) const;
  // Returns sectors per request, or 0 without requests. 4 is the optimum for 32 adjacent 4-byte values.
  [[nodiscard]] double sectors_per_load() const;
  [[nodiscard]] double sectors_per_store() const;
  [[nodiscard]] double bank_conflicts() const;
  [[nodiscard]] double active_lanes() const;  // average number of active lanes per instruction
};

// Sums the performance counters of all launches per kernel. The kernels are in the order of their first
// launches.
std::vector<KernelCounts> counts_by_kernel(const std::vector<wire::Launch>& launches);

// Advice on one source line that slows its kernel down, for example by uncoalesced accesses or idle lanes.
struct Hint {
  std::string file;
  int line = 0;
  std::string message;
};

// Returns optimisation hints for the source lines that cost a kernel most, costliest first, at most `most`.
std::vector<Hint> hints_for(const KernelCounts& kernel, std::size_t most);

}  // namespace warpmark::program_analysis
