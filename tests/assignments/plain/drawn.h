// Draws data of the built-in classes for every number type.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/assignments/plain/classes.h"

namespace warpmark::plain {

inline constexpr std::array kNumbers{Number::i8,  Number::i16, Number::i32, Number::i64, Number::u8,
                                     Number::u16, Number::u32, Number::u64, Number::f32, Number::f64};

inline bool is_real(Number number) {
  return number == Number::f32 || number == Number::f64;
}

template <class T>
Range between_bounds(T low, T high) {
  Range range;
  range.real_low = static_cast<double>(low);
  range.real_high = static_cast<double>(high);
  if constexpr (!std::is_floating_point_v<T>) {
    range.low = static_cast<std::int64_t>(low);
    range.span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }
  return range;
}

template <class T>
struct Drawn {
  std::vector<T> numbers;
  std::string error;  // empty: they were drawn
};

template <class T>
Drawn<T> drawn(const Drawing& drawing) {
  Drawn<T> result{std::vector<T>(drawing.count), ""};
  const auto filled = fill(drawing, std::as_writable_bytes(std::span(result.numbers)));
  if (!filled) result.error = filled.error().message;
  return result;
}

// Bounds that are worth a test: the whole type, around 0, above 0, below 0, one value.
template <class T>
std::vector<std::pair<T, T>> bounds_of() {
  using Limits = std::numeric_limits<T>;
  std::vector<std::pair<T, T>> all{{T{2}, T{9}}, {T{0}, T{100}}, {T{7}, T{7}}, {T{0}, T{0}}};
  if constexpr (std::is_floating_point_v<T>) {
    all.insert(all.end(), {{T{-1}, T{1}}, {T{-0.1F}, T{0.3F}}, {T{-5}, T{-4.5}}, {T{-1e30F}, T{1e30F}}});
  } else {
    all.push_back({Limits::min(), Limits::max()});
    // A bound is a signed number of 64 bits.
    const T most =
        std::in_range<std::int64_t>(Limits::max()) ? Limits::max() : static_cast<T>(Limits::max() / 2);
    all.push_back({static_cast<T>(most - 1), most});
    if constexpr (std::is_signed_v<T>) all.insert(all.end(), {{T{-3}, T{5}}, {T{-9}, T{-2}}});
  }
  return all;
}

// Calls visit<T>(drawing, low, high) for every number type, bounds and count, with the class.
template <class Visit>
void for_every_drawing(std::string_view data_class, const Visit& visit) {
  for (const Number number : kNumbers) {
    if (needs_reals(data_class) && !is_real(number)) continue;
    with_number(number, [&]<class T>() {
      for (const auto& [low, high] : bounds_of<T>()) {
        for (const std::uint64_t count : {0, 1, 2, 257, 3000}) {
          for (const std::uint64_t seed : {1, 2}) {
            SCOPED_TRACE(fmt::format("{} of type {}, {} to {}, count {}", data_class,
                                     static_cast<int>(number), low, high, count));
            visit.template operator()<T>(
                Drawing{data_class, number, count, between_bounds<T>(low, high), 0x1p24, seed}, low, high);
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    });
  }
}

template <class T>
bool all_between(const std::vector<T>& numbers, T low, T high) {
  return std::ranges::all_of(numbers, [&](T x) { return low <= x && x <= high; });
}

// Adds up magnitudes in an order that loses nothing: every number of the class is a multiple of 1 below 2^53.
template <class T>
double magnitudes(const std::vector<T>& numbers) {
  double sum = 0;
  for (const T x : numbers) sum += std::abs(static_cast<double>(x));
  return sum;
}

}  // namespace warpmark::plain
