// The counts of all launches of a kernel together, and what is read from them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/wire/observation.h"

namespace warpmark::simulate {

struct KernelCounts {
  std::string kernel;
  std::uint64_t launches = 0;
  std::string shape;                       // "4,096 x 256", of the first launch
  bool same_shape = true;                  // as all others
  std::map<std::string, double> counters;  // sums; empty where nothing was counted
  struct Line {
    double instructions = 0, lanes = 0, requests = 0, sectors = 0, shared_requests = 0, conflicts = 0;
  };
  std::map<std::pair<std::string, int>, Line> lines;  // sums, by file and line

  [[nodiscard]] double at(std::string_view counter) const;  // 0 where there is none
  // 0 where there is none. 4 is what 32 neighbouring 4-byte values take.
  [[nodiscard]] double sectors_per_load() const;
  [[nodiscard]] double sectors_per_store() const;
  [[nodiscard]] double bank_conflicts() const;
  [[nodiscard]] double active_lanes() const;  // an instruction, on average
};

// One a kernel, in the order of their first launches.
std::vector<KernelCounts> counts_by_kernel(const std::vector<wire::Launch>& launches);

// A line that makes its kernel slow, and what to do about it.
struct Hint {
  std::string file;
  int line = 0;
  std::string message;
};

// The worst first, at most `most`.
std::vector<Hint> hints_for(const KernelCounts& kernel, std::size_t most);

}  // namespace warpmark::simulate
