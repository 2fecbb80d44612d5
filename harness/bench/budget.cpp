#include "harness/bench/budget.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpmark::bench {
namespace {

// Returns the number of input sizes at which a benchmark measures at least one implementation: the maximum of
// the numbers of sizes per implementation.
std::size_t reach(const std::vector<std::size_t>& taken) {
  return taken.empty() ? 0 : std::ranges::max(taken);
}

double total(const std::vector<Costs>& costs, const Costs& shared, const std::vector<std::size_t>& taken) {
  const auto first = [](const Costs& all, std::size_t count) {
    return std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
  };
  double seconds = first(shared, reach(taken));
  for (std::size_t who = 0; who < costs.size(); ++who) seconds += first(costs[who], taken[who]);
  return seconds;
}

}  // namespace

void Trend::add(std::uint64_t n, double seconds) {
  const auto size = static_cast<double>(n);
  if (n_ > 0 && seconds_ > 0 && size > n_ && seconds > 0)
    exponent_ = std::clamp(std::log(seconds / seconds_) / std::log(size / n_), 1.0, 2.0);
  n_ = size;
  seconds_ = seconds;
}

double Trend::at(std::uint64_t n) const {
  if (!(n_ > 0)) return 0;
  return seconds_ * std::pow(static_cast<double>(n) / n_, exponent_);
}

std::vector<std::size_t> sizes_within(const std::vector<Costs>& costs, const Costs& shared, double seconds) {
  std::vector<std::size_t> taken;
  taken.reserve(costs.size());
  for (const Costs& each : costs) taken.push_back(each.size());
  while (reach(taken) > 0 && total(costs, shared, taken) > seconds) {
    std::size_t dearest = 0;
    double most = -1;
    for (std::size_t who = 0; who < costs.size(); ++who) {
      if (taken[who] == 0) continue;
      const std::size_t last = taken[who] - 1;
      const auto sharing = std::ranges::count_if(taken, [last](std::size_t count) { return count > last; });
      const double cost = costs[who][last] + shared[last] / static_cast<double>(sharing);
      if (cost > most) {
        most = cost;
        dearest = who;
      }
    }
    --taken[dearest];
  }
  return taken;
}

std::vector<bool> dropped_to_fit(std::vector<double> costs, double seconds) {
  std::vector<bool> dropped(costs.size(), false);
  while (std::accumulate(costs.begin(), costs.end(), 0.0) > seconds) {
    const auto dearest = std::ranges::max_element(costs);
    if (*dearest <= 0) break;
    dropped[static_cast<std::size_t>(dearest - costs.begin())] = true;
    *dearest = 0;
  }
  return dropped;
}

}  // namespace warpmark::bench
