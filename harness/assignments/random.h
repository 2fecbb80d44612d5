// Counter-based random numbers for inputs: each element can be generated independently, on any thread.
#pragma once

#include <cstdint>

namespace warpmark {

// SplitMix64's output function (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA
// 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Returns the counter-th number of the seed's stream: 64 uniform bits.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  return mix(mix(seed) + (counter + 1) * 0x9e3779b97f4a7c15u);
}

// Returns a pseudo-random number, uniform in [0, bound), bound > 0. The bias is below bound / 2^32 for bounds
// up to 2^32.
constexpr std::uint64_t random_below(std::uint64_t seed, std::uint64_t counter, std::uint64_t bound) {
  return random_bits(seed, counter) % bound;
}

}  // namespace warpmark
