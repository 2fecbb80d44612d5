// Redrawn numbers, which timed calls change.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/random.h"
#include "tests/assignments/plain/drawn.h"

namespace warpmark::plain {
namespace {

using testing::IsEmpty;

// Redraws `times` times and returns the number of changed elements.
template <class T, class Keeps>
std::size_t redrawn(const Drawing& drawing, std::uint64_t times, const Keeps& keeps) {
  auto numbers = drawn<T>(drawing).numbers;
  std::size_t changed = 0;
  for (std::uint64_t k = 0; k < times; ++k) {
    auto before = numbers;
    const auto changes = redraw(drawing, random_bits(99, k), std::as_writable_bytes(std::span(numbers)));
    EXPECT_LE(changes.size(), 2U);
    for (const Change& change : changes) {
      EXPECT_EQ(std::memcmp(&before[change.index], &change.before, sizeof(T)), 0) << "the bits before";
      std::memcpy(&before[change.index], &change.after, sizeof(T));
    }
    EXPECT_TRUE(before.empty() || std::memcmp(before.data(), numbers.data(), before.size() * sizeof(T)) == 0)
        << "the changes are all of them";
    changed += changes.size();
    EXPECT_TRUE(keeps(numbers));
    if (testing::Test::HasFailure()) break;
  }
  return changed;
}

TEST(Redrawing, keeps_bounds_for_every_type) {
  for (const char* name : {"uniform", "equal", "zero"}) {
    for_every_drawing(name, []<class T>(const Drawing& drawing, T low, T high) {
      const auto changed = redrawn<T>(
          drawing, 20, [&](const std::vector<T>& numbers) { return all_between(numbers, low, high); });
      EXPECT_EQ(changed, drawing.count == 0 ? 0U : 20U);
    });
  }
}

TEST(Redrawing, keeps_the_order_and_bounds_for_every_type) {
  for_every_drawing("ascending", []<class T>(const Drawing& drawing, T low, T high) {
    redrawn<T>(drawing, 20, [&](const auto& numbers) {
      return std::ranges::is_sorted(numbers) && all_between(numbers, low, high);
    });
  });
  for_every_drawing("descending", []<class T>(const Drawing& drawing, T low, T high) {
    redrawn<T>(drawing, 20, [&](const auto& numbers) {
      return std::ranges::is_sorted(numbers, std::greater()) && all_between(numbers, low, high);
    });
  });
}

TEST(Redrawing, keeps_the_ends_of_offsets_and_changes_what_lies_between) {
  const auto changed = redrawn<int>(
      {"offsets", Number::i32, 50, between_bounds(0, 1000), 0, 1}, 200, [](const std::vector<int>& numbers) {
        return numbers.front() == 0 && numbers.back() == 1000 && std::ranges::is_sorted(numbers);
      });
  EXPECT_GT(changed, 100U);
}

TEST(Redrawing, keeps_a_permutation) {
  const auto changed = redrawn<std::uint16_t>(
      {"permutation", Number::u16, 50, {}, 0, 1}, 200, [](std::vector<std::uint16_t> numbers) {
        std::ranges::sort(numbers);
        return std::ranges::adjacent_find(numbers) == numbers.end() && numbers.back() == 49;
      });
  EXPECT_EQ(changed, 400U);
}

TEST(Redrawing, keeps_exact_numbers_whole_and_their_sum_below_the_limit) {
  for (const double limit : {40.0, 0x1p13, 0x1p16, 0x1p24}) {
    const auto changed =
        redrawn<float>({"exact", Number::f32, 1000, {0, 0, -limit, limit}, limit, 5}, 2000,
                       [&](const std::vector<float>& numbers) {
                         return magnitudes(numbers) < limit &&
                                std::ranges::all_of(numbers, [](float x) { return x == std::trunc(x); });
                       });
    EXPECT_EQ(changed, 2000U);
  }
}

TEST(Redrawing, of_nothing_changes_nothing) {
  for (const char* name : {"uniform", "offsets", "permutation", "exact"})
    EXPECT_THAT(redraw({name, Number::f32, 0, {}, 0x1p24, 1}, 5, {}), IsEmpty()) << name;
  std::vector<int> two{1, 2};
  EXPECT_THAT(redraw({"ascending", Number::i32, 2, between_bounds(0, 9), 0, 1}, 5,
                     std::as_writable_bytes(std::span(two))),
              IsEmpty())
      << "the ends stay";
}

}  // namespace
}  // namespace warpmark::plain
