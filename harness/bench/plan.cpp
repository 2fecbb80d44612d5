#include "harness/bench/plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace warpmark::bench {

Result<std::vector<std::uint64_t>> powers_of_two(unsigned from, unsigned to) {
  if (from > to) {
    return fail(fmt::format("--from {} is above --to {}; sizes go from 2^from to 2^to", from, to));
  }
  std::vector<std::uint64_t> sizes;
  for (unsigned power = from; power <= to; ++power) sizes.push_back(std::uint64_t{1} << power);
  return sizes;
}

double predicted_ms(double known_ms, double known_amount, double amount) {
  return known_ms * std::max(1.0, amount / known_amount);
}

std::size_t rounds_within(double seconds, double seconds_a_round) {
  if (!(seconds_a_round > 0)) return kMostRounds;
  const double fitting = std::clamp(std::floor(seconds / seconds_a_round), static_cast<double>(kLeastRounds),
                                    static_cast<double>(kMostRounds));
  return static_cast<std::size_t>(fitting);
}

std::vector<std::size_t> order_of_round(std::size_t count, std::size_t round) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < count; ++k) order.push_back((k + round) % count);
  if (round % 2 == 1) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace warpmark::bench
