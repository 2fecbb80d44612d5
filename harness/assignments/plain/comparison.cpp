#include "harness/assignments/plain/comparison.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "harness/assignments/bytes.h"

namespace warpmark::plain {
namespace {

// Maps floating-point numbers to integers in their order, neighbours to neighbours, both zeros to 0.
template <class T>
std::int64_t ordinal(T value) {
  if constexpr (sizeof(T) == 4) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    return bits < 0 ? static_cast<std::int64_t>(std::numeric_limits<std::int32_t>::min()) - bits : bits;
  } else {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  }
}

template <class T>
std::uint64_t ulps_between(T a, T b) {
  const std::int64_t x = ordinal(a);
  const std::int64_t y = ordinal(b);
  return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
               : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

template <class T>
bool within(const Tolerance& tolerance, T expected, T actual, double bound) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(actual) || std::isnan(expected)) return false;
    if (actual == expected) return true;
    if (!std::isfinite(actual) || !std::isfinite(expected)) return false;
    const long double error = std::abs(static_cast<long double>(actual) - static_cast<long double>(expected));
    if (tolerance.expected && error <= static_cast<long double>(bound)) return true;
    if (tolerance.absolute && error <= static_cast<long double>(*tolerance.absolute)) return true;
    if (tolerance.relative &&
        error <= static_cast<long double>(*tolerance.relative) * std::abs(static_cast<long double>(expected)))
      return true;
    return tolerance.ulps && ulps_between(expected, actual) <= *tolerance.ulps;
  } else {
    return actual == expected;
  }
}

template <class T>
std::string text_of(T value) {
  return fmt::format("{}", value);
}
std::string text_of(std::int8_t value) {
  return fmt::format("{}", static_cast<int>(value));
}
std::string text_of(std::uint8_t value) {
  return fmt::format("{}", static_cast<unsigned>(value));
}

template <class T>
std::string expected_text(const Tolerance& tolerance, T expected, double bound) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr int kDigits = sizeof(T) == 4 ? 9 : 17;
    const std::string value = fmt::format("{:.{}g}", expected, kDigits);
    if (tolerance.expected)
      return bound == 0 ? fmt::format("{} (exactly)", expected) : fmt::format("{} +- {:.3g}", value, bound);
    if (tolerance.absolute) return fmt::format("{} +- {:g}", value, *tolerance.absolute);
    if (tolerance.relative) return fmt::format("{} +- {:g} of it", value, *tolerance.relative);
    if (tolerance.ulps) return fmt::format("{} +- {} ulps", value, *tolerance.ulps);
    return fmt::format("{} (exactly)", expected);
  } else {
    return text_of(expected);
  }
}

template <class T>
std::optional<Difference> compare(const Comparison& comparison, std::size_t from,
                                  std::span<const std::byte> actual) {
  const std::size_t count = actual.size() / sizeof(T);
  const auto expected_bytes = comparison.expected.subspan(from * sizeof(T), count * sizeof(T));
  // Shortcut: most outputs equal the expected bytes. Floats are compared one by one all the same unless equal
  // bits are required, because NaN must not pass otherwise.
  const bool equal = std::memcmp(expected_bytes.data(), actual.data(), count * sizeof(T)) == 0;
  if (equal && (comparison.tolerance->bits || !std::is_floating_point_v<T>)) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const T expected = load_value<T>(expected_bytes, i);
    const T got = load_value<T>(actual, i);
    if (comparison.tolerance->bits || comparison.row.is_padding(from + i)) {
      if (std::memcmp(&expected, &got, sizeof(T)) == 0) continue;
    } else {
      const double bound =
          comparison.bounds.empty() ? 0 : static_cast<double>(load_value<T>(comparison.bounds, from + i));
      if (within(*comparison.tolerance, expected, got, bound)) continue;
    }
    const double bound =
        comparison.bounds.empty() ? 0 : static_cast<double>(load_value<T>(comparison.bounds, from + i));
    Difference difference{from + i, expected_text(*comparison.tolerance, expected, bound), text_of(got), "",
                          nullptr};
    if (!comparison.before.empty() &&
        std::memcmp(comparison.before.data() + (from + i) * sizeof(T), &got, sizeof(T)) == 0)
      difference.before = ": it still holds what it held before the call";
    return difference;
  }
  return std::nullopt;
}

// Returns the index of the first NaN among the numbers that are in use.
template <class T>
std::optional<std::size_t> first_nan_of(const Row& row, std::span<const std::byte> contents) {
  if constexpr (std::is_floating_point_v<T>) {
    for (std::size_t i = 0; i < contents.size() / sizeof(T); ++i) {
      if (std::isnan(load_value<T>(contents, i)) && !row.is_padding(i)) return i;
    }
  }
  return std::nullopt;
}

// Finds the first wrong struct in an array by comparing member by member; padding bytes between members are
// ignored.
std::optional<Difference> first_in_structs(const Comparison& comparison, std::size_t from,
                                           std::span<const std::byte> actual) {
  const std::size_t bytes = comparison.element->bytes;
  for (std::size_t i = 0; i < actual.size() / bytes; ++i) {
    for (const Member& member : comparison.element->members) {
      auto difference = with_number(member.number, [&]<class T>() {
        return compare<T>({nullptr,
                           comparison.tolerance,
                           comparison.expected.subspan((from + i) * bytes + member.offset, sizeof(T)),
                           {},
                           {}},
                          0, actual.subspan(i * bytes + member.offset, sizeof(T)));
      });
      if (!difference) continue;
      difference->number = from + i;
      difference->member = &member;
      return difference;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Difference> first_difference(const Comparison& comparison, std::size_t from,
                                           std::span<const std::byte> actual) {
  if (!comparison.element->members.empty()) return first_in_structs(comparison, from, actual);
  return with_number(comparison.element->number,
                     [&]<class T>() { return compare<T>(comparison, from, actual); });
}

std::optional<std::size_t> first_nan(const Element& element, const Row& row,
                                     std::span<const std::byte> contents) {
  const auto nan_in = [&](Number number, std::span<const std::byte> numbers, const Row& of) {
    return with_number(number, [&]<class T>() { return first_nan_of<T>(of, numbers); });
  };
  if (element.members.empty()) {
    const auto found = nan_in(element.number, contents, row);
    return found ? std::optional(*found / element.components) : std::nullopt;
  }
  for (std::size_t i = 0; i < contents.size() / element.bytes; ++i) {
    for (const Member& member : element.members) {
      const std::size_t at = i * element.bytes + member.offset;
      if (nan_in(member.number, contents.subspan(at, bytes_of(member.number)), {})) return i;
    }
  }
  return std::nullopt;
}

std::string number_text(Number number, std::span<const std::byte> bytes, std::uint64_t index) {
  return with_number(number, [&]<class T>() { return text_of(load_value<T>(bytes, index)); });
}

std::optional<std::size_t> bad_bound(const Element& element, std::span<const std::byte> bounds) {
  return with_number(element.number, [&]<class T>() -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < bounds.size() / sizeof(T); ++i) {
      if (!(load_value<T>(bounds, i) >= 0)) return i;
    }
    return std::nullopt;
  });
}

}  // namespace warpmark::plain
