// The distributions of cuRAND's device API. Uniform numbers lie in (0, 1]. Normal ones are made in pairs by
// Box and Muller's method; the second is kept for the next call.
#pragma once

#include "warpmark_cuda/random/engines.h"
#include "warpmark_cuda/random/sobol.h"
#include "warpmark_cuda/random/words.h"

namespace warpmark_random {

template <typename State>
constexpr bool kIsPseudo = false;
template <>
inline constexpr bool kIsPseudo<curandStateXORWOW_t> = true;
template <>
inline constexpr bool kIsPseudo<curandStatePhilox4_32_10_t> = true;
template <>
inline constexpr bool kIsPseudo<curandStateMRG32k3a_t> = true;
template <typename State>
constexpr bool kIsMrg = false;
template <>
inline constexpr bool kIsMrg<curandStateMRG32k3a_t> = true;

constexpr double kTo53 = 1.1102230246251565e-16;   // 2^-53
constexpr double kOfMrg = 2.3283065498378288e-10;  // 1 / the first modulus of MRG32k3a
constexpr float kTau = 6.2831855f;

WARPMARK_RANDOM double unit(unsigned int x, unsigned int y) {
  const unsigned long long bits =
      static_cast<unsigned long long>(x) ^ (static_cast<unsigned long long>(y) << 21);
  return bits * kTo53 + kTo53 / 2;
}

template <typename State>
WARPMARK_LOOK_THROUGH float2 normal_pair(State* state) {
  float size;
  float angle;
  if constexpr (kIsMrg<State>) {
    size = mrg_number(state) * static_cast<float>(kOfMrg);
    angle = mrg_number(state) * static_cast<float>(kOfMrg) * kTau;
  } else {
    const unsigned int x = curand(state);
    const unsigned int y = curand(state);
    size = unit(x);
    angle = y * (kTo32 * kTau) + kTo32 * kTau / 2;
  }
  const float radius = sqrtf(-2.0f * logf(size));
  float sine;
  float cosine;
  sincosf(angle, &sine, &cosine);
  return float2{radius * sine, radius * cosine};
}
template <typename State>
WARPMARK_LOOK_THROUGH double2 normal_pair_double(State* state) {
  double size;
  double turns;  // angle of the Box-Muller transform in half turns, the unit of sincospi
  if constexpr (kIsMrg<State>) {
    size = mrg_number(state) * kOfMrg;
    turns = mrg_number(state) * kOfMrg * 2;
  } else {
    const unsigned int x = curand(state);
    const unsigned int y = curand(state);
    size = unit(x, y);
    const unsigned int z = curand(state);
    const unsigned int w = curand(state);
    turns = unit(z, w) * 2;
  }
  const double radius = sqrt(-2.0 * log(size));
  double sine;
  double cosine;
  sincospi(turns, &sine, &cosine);
  return double2{radius * sine, radius * cosine};
}

// Returns one normal number per call though `make` computes two: the first at once, the second, kept in the
// generator's state, at the next call.
template <KeptKind kind, KeptKind other, typename T, typename Pair>
WARPMARK_LOOK_THROUGH T one_of_pair(Kept& kept, T& place, const Pair& make) {
  if (kept.has & kind) {
    kept.has &= ~kind;
    return place;
  }
  const auto both = make();
  place = both.y;
  kept.has = (kept.has & ~other) | kind;
  return both.x;
}

template <typename State>
using IfPseudo = std::enable_if_t<kIsPseudo<State>>;

}  // namespace warpmark_random

template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH float curand_uniform(State* state) {
  if constexpr (warpmark_random::kIsMrg<State>)
    return static_cast<float>(warpmark_random::mrg_number(state) * warpmark_random::kOfMrg);
  else
    return warpmark_random::unit(curand(state));
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH double curand_uniform_double(State* state) {
  if constexpr (warpmark_random::kIsMrg<State>) {
    return warpmark_random::mrg_number(state) * warpmark_random::kOfMrg;
  } else if constexpr (std::is_same_v<State, curandStatePhilox4_32_10_t>) {
    // curand_uniform_double with Philox: makes each result from a single 32-bit word, as cuRAND does, so no
    // result is below 2^-32
    return curand(state) * warpmark_random::kDoubleTo32 + warpmark_random::kDoubleTo32;
  } else {
    const unsigned int x = curand(state);
    const unsigned int y = curand(state);
    return warpmark_random::unit(x, y);
  }
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH float2 curand_normal2(State* state) {
  return warpmark_random::normal_pair(state);
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH double2 curand_normal2_double(State* state) {
  return warpmark_random::normal_pair_double(state);
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH float curand_normal(State* state) {
  return warpmark_random::one_of_pair<warpmark_random::kNormal, warpmark_random::kLogNormal>(
      state->kept, state->kept.number, [=] { return curand_normal2(state); });
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH double curand_normal_double(State* state) {
  return warpmark_random::one_of_pair<warpmark_random::kNormalDouble, warpmark_random::kLogNormalDouble>(
      state->kept, state->kept.double_number, [=] { return curand_normal2_double(state); });
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return float2{expf(mean + deviation * pair.x), expf(mean + deviation * pair.y)};
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return double2{exp(mean + deviation * pair.x), exp(mean + deviation * pair.y)};
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH float curand_log_normal(State* state, float mean, float deviation) {
  return warpmark_random::one_of_pair<warpmark_random::kLogNormal, warpmark_random::kNormal>(
      state->kept, state->kept.number, [=] { return curand_log_normal2(state, mean, deviation); });
}
template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH double curand_log_normal_double(State* state, double mean, double deviation) {
  return warpmark_random::one_of_pair<warpmark_random::kLogNormalDouble, warpmark_random::kNormalDouble>(
      state->kept, state->kept.double_number,
      [=] { return curand_log_normal2_double(state, mean, deviation); });
}

// cuRAND's device functions for Philox that take four 32-bit words, a Philox block, and return all results
// made from them: four floats or two doubles.
WARPMARK_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using warpmark_random::unit;
  const uint4 x = curand4(state);
  return float4{unit(x.x), unit(x.y), unit(x.z), unit(x.w)};
}
WARPMARK_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return double2{warpmark_random::unit(x.x, x.y), warpmark_random::unit(x.z, x.w)};
}
WARPMARK_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float2 a = curand_normal2(state);
  const float2 b = curand_normal2(state);
  return float4{a.x, a.y, b.x, b.y};
}
WARPMARK_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  const float2 a = curand_log_normal2(state, mean, deviation);
  const float2 b = curand_log_normal2(state, mean, deviation);
  return float4{a.x, a.y, b.x, b.y};
}

namespace warpmark_random {

// Mean of a Poisson distribution up to which results are drawn by Knuth's method (product of uniform
// numbers); above, by Hoermann's transformed rejection (PTRS, 1993). cuRAND does not document its method: the
// distribution agrees, the individual numbers do not.
constexpr double kLargeMean = 64;

template <typename State>
WARPMARK_LOOK_THROUGH unsigned int poisson(State* state, double mean) {
  if (mean < kLargeMean) {
    const double bound = exp(-mean);
    unsigned int count = 0;
    for (double product = curand_uniform_double(state); product > bound; ++count)
      product *= curand_uniform_double(state);
    return count;
  }
  const double root = sqrt(mean);
  const double b = 0.931 + 2.53 * root;
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform_double(state) - 0.5;
    const double v = curand_uniform_double(state);
    const double distance = 0.5 - fabs(u);
    const double count = floor((2 * a / distance + b) * u + mean + 0.43);
    if (distance >= 0.07 && v <= squeeze) return static_cast<unsigned int>(count);
    if (count < 0 || (distance < 0.013 && v > distance)) continue;
    if (log(v) + log(inverse_alpha) - log(a / (distance * distance) + b) <=
        count * log(mean) - mean - lgamma(count + 1))
      return static_cast<unsigned int>(count);
  }
}

}  // namespace warpmark_random

template <typename State, typename = warpmark_random::IfPseudo<State>>
WARPMARK_LOOK_THROUGH unsigned int curand_poisson(State* state, double lambda) {
  return warpmark_random::poisson(state, lambda);
}
WARPMARK_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  uint4 counts;
  counts.x = curand_poisson(state, lambda);
  counts.y = curand_poisson(state, lambda);
  counts.z = curand_poisson(state, lambda);
  counts.w = curand_poisson(state, lambda);
  return counts;
}
