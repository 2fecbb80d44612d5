// Pure functions that keep a benchmark within its time budget, by extrapolating the times measured so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpmark::bench {

// Predicts an implementation's time at larger input sizes from the times measured at smaller ones.
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

// Predicted seconds to measure one implementation (a student's version or a CPU baseline) at each remaining
// input size, in ascending order.
using Costs = std::vector<double>;

// Returns how many of the remaining input sizes to measure per implementation (student's version or CPU
// baseline), so that the total time fits into `seconds`: repeatedly drops the largest size of the
// implementation where that costs most. `shared`: cost per size of the input that all share. All vectors have
// the same length.
std::vector<std::size_t> sizes_within(const std::vector<Costs>& costs, const Costs& shared, double seconds);

// Given the cost in seconds of each measurement, returns true for each one to drop: the most expensive first,
// until the others fit into `seconds`.
std::vector<bool> dropped_to_fit(std::vector<double> costs, double seconds);

}  // namespace warpmark::bench
