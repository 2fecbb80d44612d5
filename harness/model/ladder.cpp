#include "harness/model/ladder.h"

#include <algorithm>

namespace warpmark {

const LadderTime* LadderSeries::at(std::uint64_t n) const {
  const auto found =
      std::find_if(times.begin(), times.end(), [&](const LadderTime& time) { return time.n == n; });
  return found == times.end() || found->samples == 0 ? nullptr : &*found;
}

double Ladder::gb_per_s(const LadderTime& time) const {
  if (!(time.median_ms > 0)) return 0;
  return static_cast<double>(time.n) * static_cast<double>(value_bytes) / 1e6 / time.median_ms;
}

double Ladder::percent_of_peak(const LadderSeries& of, const LadderTime& time) const {
  if (of.cpu || !(setting.peak_gb_per_s > 0)) return 0;
  return 100 * gb_per_s(time) / setting.peak_gb_per_s;
}

std::vector<std::uint64_t> Ladder::sizes() const {
  std::vector<std::uint64_t> sizes;
  for (const LadderSeries& one : series) {
    for (const LadderTime& time : one.times) sizes.push_back(time.n);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace warpmark
