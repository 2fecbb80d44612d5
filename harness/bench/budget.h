// How a ladder keeps to the time that it was given: pure functions of what was measured so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpmark::bench {

// What something took at the sizes so far, from which follows what it takes at larger ones.
class Trend {
 public:
  void add(std::uint64_t n, double seconds);
  // Grows with n as it did between the last two sizes, within n and n^2; 0 when nothing is known.
  [[nodiscard]] double at(std::uint64_t n) const;

 private:
  double n_ = 0;
  double seconds_ = 0;
  double exponent_ = 1;
};

// Seconds at each of the sizes that are left, rising.
using Costs = std::vector<double>;

// How many of those sizes each contender takes so that all of it fits into so many seconds: the dearest size
// of any is given up first. `shared` is spent once at a size that anybody takes. As many costs in each.
std::vector<std::size_t> sizes_within(const std::vector<Costs>& costs, const Costs& shared, double seconds);

// Which of some that each cost so much have to go, the dearest first, so that the others fit.
std::vector<bool> dropped_to_fit(std::vector<double> costs, double seconds);

}  // namespace warpmark::bench
