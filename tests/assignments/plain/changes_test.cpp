// Changes before timed calls.
#include "harness/assignments/plain/changes.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "tests/assignments/plain/drawn.h"

namespace warpmark::plain {
namespace {

// Checks that the numbers are as they were but for the changes, which are told in order.
template <class T>
void expect_told(std::vector<T> before, const std::vector<T>& after, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    T value{};
    std::memcpy(&value, &change.before, sizeof value);
    EXPECT_EQ(before.at(change.index), value);
    std::memcpy(&before[change.index], &change.after, sizeof value);
  }
  EXPECT_EQ(before, after);
}

template <class T>
void expect_beyond(Number number, T outer_low, T low, T high, T outer_high) {
  const Drawing drawing{"uniform", number, 1000, between_bounds(low, high), 0, 7};
  auto numbers = drawn<T>(drawing).numbers;
  const auto before = numbers;
  const auto changes = change_beyond(drawing, between_bounds(outer_low, outer_high), {true, true}, 8,
                                     std::as_writable_bytes(std::span(numbers)));
  ASSERT_EQ(changes.size(), 8U);
  expect_told(before, numbers, changes);
  std::size_t below = 0;
  for (const Change& change : changes) {
    const T value = numbers[change.index];
    EXPECT_TRUE((outer_low <= value && value < low) || (high < value && value <= outer_high)) << value;
    below += value < low ? 1 : 0;
  }
  EXPECT_EQ(below, 4U) << "on both sides in turn";
}

TEST(Changes, beyond_a_range_are_new_extremes_on_both_sides) {
  expect_beyond<std::int32_t>(Number::i32, -2147483647 - 1, -1073741824, 1073741823, 2147483647);
  expect_beyond<std::int32_t>(Number::i32, 9, 10, 20, 21);
  expect_beyond<std::uint64_t>(Number::u64, 0, 5, 6, 1000);
  expect_beyond<float>(Number::f32, -8, -1, 1, 8);
}

TEST(Changes, beyond_a_range_may_be_on_one_side) {
  const Drawing drawing{"uniform", Number::i32, 100, between_bounds(0, 9), 0, 7};
  auto numbers = drawn<int>(drawing).numbers;
  for (const Change& change : change_beyond(drawing, between_bounds(0, 99), {false, true}, 8,
                                            std::as_writable_bytes(std::span(numbers))))
    EXPECT_GT(numbers[change.index], 9);
}

TEST(Changes, to_another_drawing_take_its_numbers_over) {
  const std::vector<int> other{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  for (const std::size_t count : {std::size_t{3}, other.size(), std::size_t{20}}) {
    std::vector<int> numbers(other.size(), 0);
    const auto before = numbers;
    const auto changes = change_to(std::as_bytes(std::span(other)), sizeof(int), 5, count,
                                   std::as_writable_bytes(std::span(numbers)));
    expect_told(before, numbers, changes);
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_TRUE(numbers[i] == 0 || numbers[i] == other[i]);
    EXPECT_EQ(numbers == other, count >= other.size()) << count;
  }
}

TEST(Changes, of_a_class_are_as_many_as_were_asked_for) {
  const Drawing drawing{"exact", Number::f32, 1000, between_bounds(-9000.0F, 9000.0F), 0x1p24, 7};
  auto numbers = drawn<float>(drawing).numbers;
  const auto before = numbers;
  const auto changes = change_some(drawing, 3, 16, std::as_writable_bytes(std::span(numbers)));
  EXPECT_EQ(changes.size(), 16U);
  expect_told(before, numbers, changes);
  EXPECT_LT(magnitudes(numbers), 0x1p24);
}

}  // namespace
}  // namespace warpmark::plain
