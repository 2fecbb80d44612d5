#include "harness/assignments/plain/classes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/bytes.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

namespace warpmark::plain {
namespace {

constexpr std::uint64_t kFew = 4;  // maximum number of distinct values in an input of data class `few`
constexpr std::uint64_t kPiece = 1 << 20;  // number of input values that a thread generates per task
// A common block size: errors in handling remainders appear at its multiples.
constexpr std::uint64_t kEdge = 256;
constexpr double kSmall = 3;  // data class `exact`: largest magnitude of the frequent small values
// Rare numbers of class `exact` have more than 11 significant bits: not representable in half or bfloat16.
constexpr std::uint64_t kLargeLeast = 4097;
constexpr std::uint64_t kLargeSpan = 4096;
constexpr std::uint64_t kLargeOneIn = 128;
// In double precision the rare numbers are multiples of 2^28 + 1, which a float cannot represent.
constexpr double kWide = 0x10000001p0;

double fraction(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;  // uniform in [0, 1): 53 random bits, scaled by 2^-53
}

template <class T>
T in_range(const Range& range, std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>) {
    const double value = range.real_low + (range.real_high - range.real_low) * fraction(bits);
    return static_cast<T>(std::clamp(value, range.real_low, range.real_high));
  } else {
    const std::uint64_t offset = range.span == ~std::uint64_t{0} ? bits : mix(bits) % (range.span + 1);
    return static_cast<T>(static_cast<std::uint64_t>(range.low) + offset);
  }
}

template <class T>
T nearest_zero(const Range& range) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(std::clamp(0.0, range.real_low, range.real_high));
  } else {
    if (range.low >= 0) return static_cast<T>(range.low);
    const std::uint64_t to_zero = static_cast<std::uint64_t>(-(range.low + 1)) + 1;
    return static_cast<T>(static_cast<std::uint64_t>(range.low) + std::min(range.span, to_zero));
  }
}

template <class T>
T bits_of_any_kind(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>) {
    using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const T value = std::bit_cast<T>(static_cast<Word>(bits));
    // A NaN pattern becomes a number by clearing one bit of its exponent.
    return value == value ? value
                          : std::bit_cast<T>(static_cast<Word>(std::bit_cast<Word>(value) ^
                                                               (Word{1} << (sizeof(T) == 4 ? 23 : 52))));
  } else {
    return static_cast<T>(bits);
  }
}

template <class T>
T special(const Range& range, std::uint64_t bits) {
  using Limits = std::numeric_limits<T>;
  const std::array kinds{
      Limits::quiet_NaN(),  -Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), T{0}, T{-0.0},
      Limits::denorm_min(), Limits::max()};
  return bits % 2 == 0 ? kinds[(bits >> 32) % kinds.size()] : in_range<T>(range, mix(bits));
}

// Returns true for one pseudo-random index in each block of `period` indices.
bool is_drawn(std::uint64_t seed, std::uint64_t i, std::uint64_t period) {
  return i % period == random_below(seed, i / period, period);
}

// Data class `exact`: all partial sums are exact, because the sum of magnitudes stays below a limit. Nonzero
// numbers become rarer as the count grows, so the limit holds even after numbers are redrawn: the drawing's
// seed alone decides where they are. The first and last number and those at block edges are never 0. Rows are
// drawn independently.
template <class T>
T exact(Drawing drawing, std::uint64_t i, std::uint64_t bits) {
  if (drawing.row != 0) {
    drawing.seed = random_bits(drawing.seed, i / drawing.row);
    drawing.count = drawing.row;
    i %= drawing.row;
  }
  const double limit = drawing.sum_below;
  const auto count = static_cast<double>(drawing.count);
  const double unit = sizeof(T) == 8 && limit >= 0x1p52 ? kWide : 1;
  const double sign = (bits & 1) != 0 ? 1 : -1;
  const auto one_in = [&](double least, double share, double magnitude) {
    return static_cast<std::uint64_t>(std::max(least, std::ceil(count * magnitude * unit / (limit * share))));
  };
  // The least and the greatest whole number in the drawing's range.
  const double low = std::ceil(drawing.range.real_low);
  const double high = std::floor(drawing.range.real_high);
  const auto in_range = [&](double value) { return low <= value && value <= high; };
  const double large = unit * static_cast<double>((kLargeLeast + (bits >> 8) % kLargeSpan) | 1);
  const double small = unit * static_cast<double>(1 + (bits >> 8) % static_cast<std::uint64_t>(kSmall));
  constexpr auto kLargest = static_cast<double>(kLargeLeast + kLargeSpan);
  const bool fits = limit >= 8 * kLargest * unit && (in_range(large) || in_range(-large));
  double value = 0;
  const std::uint64_t edge = one_in(static_cast<double>(kEdge), 0.0625, 2 * kSmall);
  if (fits && is_drawn(mix(drawing.seed), i, one_in(static_cast<double>(kLargeOneIn), 0.5, kLargest))) {
    value = in_range(sign * large) ? sign * large : -sign * large;
  } else if (i == 0 || i + 1 == drawing.count || i % edge == 0 || (i + 1) % edge == 0 ||
             is_drawn(~drawing.seed, i, one_in(2, 0.25, kSmall))) {
    // Of the sign that was drawn, unless the range has no number of that sign: clamping it would give 0.
    const bool positive = sign > 0 ? high >= 1 : low > -1;
    value = positive ? small : -small;
  }
  return static_cast<T>(std::clamp(value, low, high));
}

// Returns a random whole number in the range, which must contain at least one.
template <class T>
T whole(const Range& range, std::uint64_t bits) {
  const double low = std::ceil(range.real_low);
  const double count = std::floor(range.real_high) - low + 1;
  return static_cast<T>(low + std::min(std::floor(fraction(bits) * count), count - 1));
}

// Returns element i of an input whose data class draws every element independently of the others.
template <class T>
T number_at(const Drawing& drawing, std::uint64_t seed, std::uint64_t i) {
  const std::string_view name = drawing.data_class;
  const std::uint64_t bits = random_bits(seed, i);
  if (name == "zero") return nearest_zero<T>(drawing.range);
  if (name == "random_bits") return bits_of_any_kind<T>(bits);
  if constexpr (std::is_floating_point_v<T>) {
    if (name == "special") return special<T>(drawing.range, bits);
    if (name == "exact") return exact<T>(drawing, i, bits);
    if (name == "whole") return whole<T>(drawing.range, bits);
  }
  if (name == "equal") return in_range<T>(drawing.range, random_bits(seed, 0));
  if (name == "few")  // redrawing uses the same few values, whatever its seed
    return in_range<T>(drawing.range, random_bits(drawing.seed, ~(bits % (1 + mix(drawing.seed) % kFew))));
  return in_range<T>(drawing.range, bits);
}

template <class T>
std::span<T> as_numbers(std::span<std::byte> bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

// Returns the last value of an array of segment offsets: the largest one in its range.
std::uint64_t end_of(const Range& range, bool real) {
  return real ? static_cast<std::uint64_t>(std::max(range.real_high, 0.0))
              : static_cast<std::uint64_t>(range.low) + range.span;
}

enum class Rows : std::uint8_t { even, skewed, sparse };

Rows rows_of(const Drawing& drawing) {
  if (drawing.data_class == "even_offsets") return Rows::even;
  if (drawing.data_class == "skewed_offsets") return Rows::skewed;
  if (drawing.data_class == "sparse_offsets") return Rows::sparse;
  return static_cast<Rows>(random_below(drawing.seed, ~std::uint64_t{0}, 3));
}

// Draws row lengths that sum to `end`, for arrays of segment offsets: each from 0 to twice the mean; or half
// of the sum in one row and many rows empty; or three of four rows empty.
std::vector<std::uint64_t> row_lengths(std::uint64_t rows, std::uint64_t end, Rows kind, std::uint64_t seed) {
  std::vector<double> weights(rows);
  for (std::uint64_t r = 0; r < rows; ++r) {
    const double u = fraction(random_bits(seed, r));
    weights[r] = kind == Rows::even ? u : kind == Rows::skewed ? std::max(0.0, u - 0.5) : u < 0.75 ? 0 : u;
  }
  if (kind == Rows::skewed && rows > 0)
    weights[random_below(seed, ~std::uint64_t{1}, rows)] +=
        1 + std::accumulate(weights.begin(), weights.end(), 0.0);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint64_t> lengths(rows);
  std::uint64_t left = end;
  for (std::uint64_t r = 0; r < rows && total > 0; ++r) {
    lengths[r] = std::min(left, static_cast<std::uint64_t>(static_cast<double>(end) * weights[r] / total));
    left -= lengths[r];
  }
  // Distributes the elements that remain because row lengths were rounded down.
  for (std::uint64_t k = 0; left > 0 && rows > 0; ++k) {
    const std::uint64_t r = random_below(seed, rows + k, rows);
    if (total > 0 && weights[r] == 0) continue;  // rows drawn as empty get no leftover element
    const std::uint64_t share = std::max<std::uint64_t>(1, left / rows);
    lengths[r] += share;
    left -= share;
  }
  return lengths;
}

template <class T>
Result<void> fill_offsets(const Drawing& drawing, std::span<T> numbers) {
  if (numbers.empty()) return {};
  const std::uint64_t end = end_of(drawing.range, std::is_floating_point_v<T>);
  if (numbers.size() == 1 && end != 0)
    return fail(fmt::format("offsets: one element is first and last, so it must be 0, and high is {}", end));
  const auto lengths = row_lengths(numbers.size() - 1, end, rows_of(drawing), drawing.seed);
  std::uint64_t at = 0;
  numbers[0] = 0;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    at += lengths[r];
    numbers[r + 1] = static_cast<T>(at);
  }
  return {};
}

template <class T>
Result<void> fill_permutation(const Drawing& drawing, std::span<T> numbers) {
  if (!numbers.empty() &&
      static_cast<std::uint64_t>(static_cast<T>(numbers.size() - 1)) != numbers.size() - 1)
    return fail(fmt::format("permutation: the type cannot hold {}", numbers.size() - 1));
  std::iota(numbers.begin(), numbers.end(), T{0});
  for (std::uint64_t i = numbers.size(); i > 1; --i)
    std::swap(numbers[i - 1], numbers[random_below(drawing.seed, i, i)]);
  return {};
}

// Fails if the magnitudes of generated numbers (of each row, if the sum is limited by row) sum to the limit
// of data class `exact` or more: partial sums would not be exact.
template <class T>
Result<void> check_sums(const Drawing& drawing, std::span<const T> numbers) {
  const std::size_t row = drawing.row == 0 ? numbers.size() : static_cast<std::size_t>(drawing.row);
  for (std::size_t begin = 0; begin < numbers.size(); begin += row) {
    const auto part = numbers.subspan(begin, std::min(row, numbers.size() - begin));
    double sum = 0;
    for (const T number : part) sum += std::abs(static_cast<double>(number));
    if (sum >= drawing.sum_below)
      return fail(
          fmt::format("exact: the magnitudes of {} numbers from low on sum to {:g}, and sum_below is {:g}; "
                      "lower the bounds or the count",
                      part.size(), sum, drawing.sum_below));
  }
  return {};
}

template <class T>
Result<void> fill_numbers(const Drawing& drawing, std::span<std::byte> target) {
  const auto numbers = as_numbers<T>(target);
  if (is_offsets(drawing.data_class)) return fill_offsets(drawing, numbers);
  if (drawing.data_class == "permutation") return fill_permutation(drawing, numbers);
  if ((drawing.data_class == "exact" || drawing.data_class == "whole") && std::is_floating_point_v<T> &&
      std::ceil(drawing.range.real_low) > drawing.range.real_high)
    return fail(fmt::format("{}: there is no whole number from {:g} to {:g}", drawing.data_class,
                            drawing.range.real_low, drawing.range.real_high));
  in_parallel((numbers.size() + kPiece - 1) / kPiece, std::thread::hardware_concurrency(),
              [&](std::size_t piece) {
                const std::size_t end = std::min<std::size_t>((piece + 1) * kPiece, numbers.size());
                for (std::size_t i = piece * kPiece; i < end; ++i)
                  numbers[i] = number_at<T>(drawing, drawing.seed, i);
              });
  if (drawing.data_class == "ascending") std::ranges::sort(numbers);
  if (drawing.data_class == "descending") std::ranges::sort(numbers, std::greater());
  if constexpr (std::is_floating_point_v<T>) {
    if (drawing.data_class == "exact") return check_sums(drawing, std::span<const T>(numbers));
  }
  return {};
}

template <class T>
std::uint64_t bits_of(T number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof number);
  return bits;
}

template <class T>
T between(T a, T b, std::uint64_t bits) {
  const auto [low, high] = std::minmax(a, b);
  Range range;
  range.real_low = static_cast<double>(low);
  range.real_high = static_cast<double>(high);
  if constexpr (!std::is_floating_point_v<T>) {
    range.low = static_cast<std::int64_t>(low);
    range.span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }
  return in_range<T>(range, bits);
}

template <class T>
std::vector<Change> redraw_numbers(const Drawing& drawing, std::uint64_t seed,
                                   std::span<std::byte> contents) {
  const auto numbers = as_numbers<T>(contents);
  const std::uint64_t count = numbers.size();
  const std::string_view name = drawing.data_class;
  if (count == 0) return {};
  const std::uint64_t i = random_below(seed, 0, count);
  const auto set = [&](std::uint64_t at, T value) {
    const Change change{at, bits_of(numbers[at]), bits_of(value)};
    numbers[at] = value;
    return change;
  };
  if (name == "permutation") {
    const std::uint64_t j = random_below(seed, 1, count);
    const T first = numbers[i];
    const T second = numbers[j];
    return {set(i, second), set(j, first)};
  }
  if (is_ordered(name)) {
    if (i == 0 || i + 1 == count) return {};
    return {set(i, between(numbers[i - 1], numbers[i + 1], random_bits(seed, 2)))};
  }
  if (name == "equal" || name == "zero") return {set(i, in_range<T>(drawing.range, random_bits(seed, 2)))};
  return {set(i, number_at<T>(drawing, mix(seed), i))};
}

template <class T>
Change redraw_one_beyond(const Drawing& drawing, const Range& outer, bool low, std::uint64_t index,
                         std::uint64_t bits, std::span<std::byte> contents) {
  const Range& inner = drawing.range;
  T value{};
  if constexpr (std::is_floating_point_v<T>) {
    // Uniform in (0, 1], so that the redrawn value lies strictly outside the old range.
    const double part = 1 - fraction(bits);
    value = static_cast<T>(low ? inner.real_low - (inner.real_low - outer.real_low) * part
                               : inner.real_high + (outer.real_high - inner.real_high) * part);
  } else {
    const std::uint64_t inner_high = static_cast<std::uint64_t>(inner.low) + inner.span;
    const std::uint64_t outer_high = static_cast<std::uint64_t>(outer.low) + outer.span;
    const std::uint64_t first = low ? static_cast<std::uint64_t>(outer.low) : inner_high + 1;
    const std::uint64_t count = low ? static_cast<std::uint64_t>(inner.low) - first : outer_high - inner_high;
    value = static_cast<T>(first + (count == 0 ? 0 : bits % count));
  }
  const auto numbers = as_numbers<T>(contents);
  const Change change{index, bits_of(numbers[index]), bits_of(value)};
  numbers[index] = value;
  return change;
}

constexpr std::array<std::string_view, 15> kClasses{
    "uniform",        "equal",          "few",        "zero",  "ascending", "descending",
    "random_bits",    "special",        "exact",      "whole", "offsets",   "even_offsets",
    "skewed_offsets", "sparse_offsets", "permutation"};

}  // namespace

std::optional<std::string_view> built_in_class(std::string_view data_class) {
  const auto found = std::ranges::find(kClasses, data_class);
  return found == kClasses.end() ? std::nullopt : std::optional(*found);
}

std::string known_classes() {
  return fmt::format("{}", fmt::join(kClasses, ", "));
}

bool needs_reals(std::string_view data_class) {
  return data_class == "special" || data_class == "whole";
}

bool is_offsets(std::string_view data_class) {
  return data_class == "offsets" || data_class.ends_with("_offsets");
}

bool is_ordered(std::string_view data_class) {
  static constexpr std::array<std::string_view, 3> kOrdered{"ascending", "descending", "permutation"};
  return is_offsets(data_class) || std::ranges::find(kOrdered, data_class) != kOrdered.end();
}

Result<void> fill(const Drawing& drawing, std::span<std::byte> target) {
  return with_number(drawing.number, [&]<class T>() { return fill_numbers<T>(drawing, target); });
}

Change redraw_beyond(const Drawing& drawing, const Range& outer, bool low, std::uint64_t index,
                     std::uint64_t bits, std::span<std::byte> contents) {
  return with_number(drawing.number, [&]<class T>() {
    return redraw_one_beyond<T>(drawing, outer, low, index, bits, contents);
  });
}

std::vector<Change> redraw(const Drawing& drawing, std::uint64_t seed, std::span<std::byte> contents) {
  return with_number(drawing.number, [&]<class T>() { return redraw_numbers<T>(drawing, seed, contents); });
}

}  // namespace warpmark::plain
