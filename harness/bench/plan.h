// What a benchmark measures and how often: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::bench {

inline constexpr unsigned kLeastPower = 0;
inline constexpr unsigned kMostPower = 31;  // 2^31 values of 4 bytes are 8 GiB

// A call that takes longer is not worth waiting for: on an H200 the naive kernel takes 27 ms for 2^30 ints.
inline constexpr double kHopelessMs = 250;

// Fewer give no interval of the median at 99.9 % (2 * 2^-11 is the largest power below 0.001); more than the
// most tell nothing new.
inline constexpr std::size_t kLeastRounds = 12;
inline constexpr std::size_t kMostRounds = 60;

// 2^from, ..., 2^to. Fails when from is above to.
Result<std::vector<std::uint64_t>> powers_of_two(unsigned from, unsigned to);

// What a call will take, from what one took on another amount of work: a version takes at most so much longer
// as it has more to do.
double predicted_ms(double known_ms, double known_amount, double amount);

// As many rounds as fit, within the bounds above.
std::size_t rounds_within(double seconds, double seconds_a_round);

// In which order `count` versions are called in a round: each starts in turn, and every other round runs
// backwards, so that none always follows the same one.
std::vector<std::size_t> order_of_round(std::size_t count, std::size_t round);

}  // namespace warpmark::bench
