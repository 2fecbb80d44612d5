// Pure functions that keep a benchmark within its time budget, by extrapolating the times measured so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpmark::bench {

// Extrapolates a time to larger sizes from the sizes measured so far.
class Trend {
 public:
  void add(std::uint64_t n, double seconds);
  // Returns the predicted seconds at size n. The power-law exponent is that of the last two sizes, clamped to
  // [1, 2]; 0 if nothing was measured yet.
  [[nodiscard]] double at(std::uint64_t n) const;

 private:
  double n_ = 0;
  double seconds_ = 0;
  double exponent_ = 1;
};

// Predicted seconds of one contender (a version or CPU baseline) at each remaining input size, in ascending
// order.
using Costs = std::vector<double>;

// Returns, per contender, the number of remaining sizes to measure so that the total time fits into
// `seconds`. While the total is too large, the contender whose largest kept size costs most gives up that
// size. `shared` is the cost per size of what all contenders share. All vectors have the same length.
std::vector<std::size_t> sizes_within(const std::vector<Costs>& costs, const Costs& shared, double seconds);

// Returns a flag per item, true to drop it: the most expensive items go first, until the remaining costs fit
// into `seconds`.
std::vector<bool> dropped_to_fit(std::vector<double> costs, double seconds);

}  // namespace warpmark::bench
