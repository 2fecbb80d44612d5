// Loops over the lanes of a warp that the compiler vectorises. Only the files of instruction handlers include
// this header; they are compiled once per x86 instruction set (x86-64 baseline, AVX2, AVX-512), each in its
// own inner namespace.
#pragma once

#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator::WARPMARK_VARIANT {

template <class T>
const T* aligned(const T* p) {
  return static_cast<const T*>(__builtin_assume_aligned(p, 64));
}
template <class T>
T* aligned(T* p) {
  return static_cast<T*>(__builtin_assume_aligned(p, 64));
}

template <class Word>
struct LaneBits {
  alignas(64) Word bit[kLanes];
  constexpr LaneBits() : bit() {
    for (unsigned lane = 0; lane < kLanes; ++lane) bit[lane] = Word{1} << lane;
  }
};
template <class Word>
inline constexpr LaneBits<Word> kLaneBits{};

// True if at most one lane is active, a case common enough for a fast path.
inline bool is_one_lane(std::uint32_t mask) {
  return (mask & (mask - 1)) == 0;
}

template <class Visitor>
inline void for_each_lane(std::uint32_t mask, Visitor visit) {
  if (mask == kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) visit(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

// Sets to[lane] = from[lane] for the lanes of the mask.
template <class T>
inline void blend(T* to, const T* from, std::uint32_t mask) {
  if constexpr (sizeof(T) == 4) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      to[lane] = (mask & kLaneBits<std::uint32_t>.bit[lane]) != 0 ? from[lane] : to[lane];
    }
  } else if constexpr (sizeof(T) == 8) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      to[lane] = (mask & kLaneBits<std::uint64_t>.bit[lane]) != 0 ? from[lane] : to[lane];
    }
  } else {
    for_each_lane(mask, [&](unsigned lane) { to[lane] = from[lane]; });
  }
}

// Packs 32 words, each all ones or zero, into a mask with one bit per lane.
inline std::uint32_t pack_mask(const std::uint32_t* words) {
#if defined(__SSE2__)
  std::uint32_t bits = 0;
  for (int half = 0; half < 2; ++half) {
    const auto* at = reinterpret_cast<const __m128i*>(words + std::ptrdiff_t{16} * half);
    const __m128i low = _mm_packs_epi32(_mm_load_si128(at), _mm_load_si128(at + 1));
    const __m128i high = _mm_packs_epi32(_mm_load_si128(at + 2), _mm_load_si128(at + 3));
    bits |= static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) << (16 * half);
  }
  return bits;
#else
  std::uint32_t bits = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) bits |= words[lane] & (1U << lane);
  return bits;
#endif
}

template <class Op, class D, class... S, std::size_t... I>
inline void apply_lanewise(Context& c, const Instruction& i, std::index_sequence<I...>) {
  const std::tuple<const S*...> s{aligned(c.read<S>(i.operands[I + 1]))...};
  D* d = aligned(c.write<D>(i.operands[0]));
  if (c.mask == kAllLanes) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < kLanes; ++lane) d[lane] = Op::apply(std::get<I>(s)[lane]...);
    return;
  }
  if (is_one_lane(c.mask)) {
    const auto lane = static_cast<unsigned>(std::countr_zero(c.mask));
    d[lane] = Op::apply(std::get<I>(s)[lane]...);
    return;
  }
  alignas(64) D result[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) result[lane] = Op::apply(std::get<I>(s)[lane]...);
  blend(d, result, c.mask);
}

// Computes destination = Op(sources...) for each active lane. Also computes inactive lanes and discards the
// result, so Op must be total and free of side effects.
template <class Op, class D, class... S>
void lanewise(Context& c, const Instruction& i) {
  apply_lanewise<Op, D, S...>(c, i, std::index_sequence_for<S...>{});
}

// Computes destination = Op(sources...) for active lanes only; for operations that are slow or do not
// vectorise.
template <class Op, class D, class... S, std::size_t... I>
inline void apply_each(Context& c, const Instruction& i, std::index_sequence<I...>) {
  const std::tuple<const S*...> s{c.read<S>(i.operands[I + 1])...};
  D* d = c.write<D>(i.operands[0]);
  for_each_lane(c.mask, [&](unsigned lane) { d[lane] = Op::apply(std::get<I>(s)[lane]...); });
}
template <class Op, class D, class... S>
void each_lane(Context& c, const Instruction& i) {
  apply_each<Op, D, S...>(c, i, std::index_sequence_for<S...>{});
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
