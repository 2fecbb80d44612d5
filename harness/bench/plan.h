// Pure functions that choose the sizes of a benchmark and the number and order of its calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::bench {

inline constexpr unsigned kLeastPower = 0;
inline constexpr unsigned kMostPower = 31;  // largest input: 2^31 values, 8 GiB if a value has 4 bytes

// Limit of a call's predicted time; a benchmark skips implementations that exceed it. On an H200 the naive
// kernel takes 27 ms for 2^30 ints.
inline constexpr double kHopelessMs = 250;

// Fewer than 11 rounds give no confidence interval of the median at 99.9 % (2 * 2^-11 is the largest such
// power below 0.001); more than kMostRounds add no information.
inline constexpr std::size_t kLeastRounds = 12;
inline constexpr std::size_t kMostRounds = 60;

// Returns 2^from, ..., 2^to. Fails if from > to.
Result<std::vector<std::uint64_t>> powers_of_two(unsigned from, unsigned to);

// Predicts the time of a call from a measured one, in proportion to the amount of work; never less than the
// measured time.
double predicted_ms(double known_ms, double known_amount, double amount);

// Returns how many rounds of timed calls fit into `seconds`, clamped to [kLeastRounds, kMostRounds].
std::size_t rounds_within(double seconds, double seconds_a_round);

// Returns the order in which a round calls the `count` implementations of a benchmark: rotated by one per
// round, and reversed in every second one, so that no implementation always follows the same other one.
std::vector<std::size_t> order_of_round(std::size_t count, std::size_t round);

}  // namespace warpmark::bench
