// Values with extremes of every kind, between -2^30 and 2^30 where they are ordinary numbers.
// | "one_sign": all positive or all negative, by the seed: a search that starts from 0 fails. "ties": a few
// distinct values, in float including both zeros, which for two of three seeds are the least or the greatest:
// the first one counts. "nans", float only: NaNs, infinities and denormals; for some seeds only NaNs, or only
// one of the infinities.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string_view>

#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

namespace {

using Draw = std::mt19937_64;

value_t any_sign(Draw& draw) {
  return static_cast<value_t>(static_cast<std::int32_t>(draw() >> 32) >> 1);
}

value_t one_sign(Draw& draw, bool positive) {
  const auto magnitude = static_cast<value_t>(1 + (draw() >> 35));
  return positive ? magnitude : -magnitude;
}

// Returns one of five distinct values for the data class "ties"; by `least`, they are all below zero, around
// it or above it.
value_t tie(Draw& draw, int least) {
  const std::uint64_t bits = draw();
  const auto value = static_cast<value_t>(static_cast<int>((bits >> 32) % 5) + least);
  return value == 0 && bits % 2 == 0 ? -value : value;
}

// Returns element i of data class "nans". The first and the last element are NaNs in most inputs, because
// those do the most harm to a search.
value_t with_nans(Draw& draw, std::uint64_t kind, std::size_t i, std::size_t n) {
  using Limits = std::numeric_limits<value_t>;
  const auto nan = Limits::quiet_NaN();
  const std::uint64_t bits = draw();
  if (kind == 0) return nan;
  if (kind == 1 || kind == 2) return i % 3 == 0 ? nan : kind == 1 ? Limits::infinity() : -Limits::infinity();
  if (i == 0 || (i + 1 == n && n > 2) || bits % 3 == 0) return bits >> 63 == 0 ? nan : -nan;
  if (kind == 3 && bits % 16 == 1) return (bits >> 60) % 2 == 0 ? Limits::infinity() : -Limits::infinity();
  if (kind == 4) return static_cast<value_t>((bits >> 41) + 1) * Limits::denorm_min();
  return kind % 2 == 0 ? any_sign(draw) : one_sign(draw, kind == 5);
}

}  // namespace

extern "C" void make_values(void* target, std::size_t count, const std::size_t* /*sizes*/, const char* name,
                            std::uint64_t seed) {
  auto* const values = static_cast<value_t*>(target);
  const std::string_view data_class = name;
  Draw draw(seed);
  const std::uint64_t kind = draw();
  for (std::size_t i = 0; i < count; ++i) {
    if (data_class == "one_sign") values[i] = one_sign(draw, kind % 2 == 0);
    if (data_class == "ties") values[i] = tie(draw, static_cast<int>(kind % 3) * 2 - 4);
    if (data_class == "nans") values[i] = with_nans(draw, kind % 8, i, count);
  }
}
