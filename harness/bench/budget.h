// Pure functions that keep a ladder within its time budget, from the times measured so far.
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

// Predicted seconds at each remaining size, in ascending order.
using Costs = std::vector<double>;

// Returns, per contender, how many of the remaining sizes it keeps so that the total fits into `seconds`.
// While the total is too large, the contender whose largest kept size is the most expensive gives it up.
// `shared` is spent once per size that any contender keeps. All vectors have the same length.
std::vector<std::size_t> sizes_within(const std::vector<Costs>& costs, const Costs& shared, double seconds);

// Returns which items to drop, most expensive first, so that the remaining costs fit into `seconds`.
std::vector<bool> dropped_to_fit(std::vector<double> costs, double seconds);

}  // namespace warpmark::bench
