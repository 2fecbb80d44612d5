#include "harness/assignments/plain/classes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/plain/drawn.h"

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Classes, are_known_by_name) {
  for (const char* name :
       {"uniform", "equal", "zero", "ascending", "descending", "random_bits", "special", "exact", "whole",
        "few", "offsets", "even_offsets", "skewed_offsets", "sparse_offsets", "permutation"}) {
    EXPECT_EQ(built_in_class(name), name);
    EXPECT_THAT(known_classes(), HasSubstr(name));
  }
  EXPECT_FALSE(built_in_class("sparse"));
  EXPECT_FALSE(built_in_class(""));
}

TEST(Classes, with_bounds_stay_in_them_for_every_type) {
  for (const char* name : {"uniform", "equal", "zero", "ascending", "descending"}) {
    for_every_drawing(name, []<class T>(const Drawing& drawing, T low, T high) {
      const auto result = drawn<T>(drawing);
      EXPECT_EQ(result.error, "");
      EXPECT_TRUE(all_between(result.numbers, low, high));
    });
  }
}

TEST(Classes, give_the_same_numbers_for_the_same_seed_and_others_for_another) {
  for (const Number number : kNumbers) {
    with_number(number, [&]<class T>() {
      Drawing drawing{"uniform", number, 1000, between_bounds<T>(0, 100), 0, 5};
      const auto first = drawn<T>(drawing).numbers;
      EXPECT_EQ(first, drawn<T>(drawing).numbers);
      drawing.seed = 6;
      EXPECT_NE(first, drawn<T>(drawing).numbers);
    });
  }
}

TEST(Uniform, reaches_both_bounds_of_whole_numbers) {
  const auto numbers =
      drawn<std::int16_t>({"uniform", Number::i16, 2000, between_bounds<std::int16_t>(-3, 5), 0, 1}).numbers;
  std::vector<int> seen(9);
  for (const std::int16_t x : numbers) ++seen[static_cast<std::size_t>(x + 3)];
  for (const int times : seen)
    EXPECT_THAT(times, AllOf(testing::Gt(2000 / 9 / 2), testing::Lt(2000 / 9 * 2)));
}

TEST(Uniform, reaches_both_ends_of_the_widest_types) {
  const auto full = between_bounds<std::uint64_t>(0, ~std::uint64_t{0});
  const auto numbers = drawn<std::uint64_t>({"uniform", Number::u64, 1000, full, 0, 1}).numbers;
  EXPECT_LT(*std::ranges::min_element(numbers), std::uint64_t{1} << 58);
  EXPECT_GT(*std::ranges::max_element(numbers), ~std::uint64_t{0} - (std::uint64_t{1} << 58));
}

TEST(Uniform, does_not_depend_on_the_pieces_in_which_it_is_drawn) {
  const Range range = between_bounds<std::uint8_t>(0, 255);
  const auto long_one = drawn<std::uint8_t>({"uniform", Number::u8, (1 << 20) + 77, range, 0, 9}).numbers;
  const auto short_one = drawn<std::uint8_t>({"uniform", Number::u8, 100, range, 0, 9}).numbers;
  EXPECT_TRUE(std::ranges::equal(short_one, std::span(long_one).first(100)));
  const std::vector<std::uint8_t> last(long_one.end() - 77, long_one.end());
  EXPECT_GT(*std::ranges::max_element(last), *std::ranges::min_element(last))
      << "the last piece is drawn, too";
}

TEST(Equal, repeats_one_number_of_the_seed) {
  for_every_drawing("equal", []<class T>(const Drawing& drawing, T, T) {
    const auto numbers = drawn<T>(drawing).numbers;
    EXPECT_TRUE(std::ranges::all_of(numbers, [&](T x) { return x == numbers.front(); }));
  });
  const Range range = between_bounds(0, 1000000);
  EXPECT_NE(drawn<int>({"equal", Number::i32, 1, range, 0, 1}).numbers,
            drawn<int>({"equal", Number::i32, 1, range, 0, 2}).numbers);
}

TEST(Zero, is_the_number_of_the_range_that_is_nearest_to_0) {
  for_every_drawing("zero", []<class T>(const Drawing& drawing, T low, T high) {
    const T nearest = std::clamp(T{0}, low, high);
    for (const T x : drawn<T>(drawing).numbers) EXPECT_EQ(x, nearest);
  });
}

TEST(Ordered, classes_are_in_order) {
  for_every_drawing("ascending", []<class T>(const Drawing& drawing, T, T) {
    EXPECT_TRUE(std::ranges::is_sorted(drawn<T>(drawing).numbers));
  });
  for_every_drawing("descending", []<class T>(const Drawing& drawing, T, T) {
    EXPECT_TRUE(std::ranges::is_sorted(drawn<T>(drawing).numbers, std::greater()));
  });
}

TEST(RandomBits, has_no_nan_and_every_exponent) {
  const auto check = []<class T>(Number number) {
    const auto numbers = drawn<T>({"random_bits", number, 100000, {}, 0, 3}).numbers;
    EXPECT_TRUE(std::ranges::none_of(numbers, [](T x) { return std::isnan(x); }));
    EXPECT_TRUE(std::ranges::any_of(
        numbers, [](T x) { return x != 0 && std::abs(x) < std::numeric_limits<T>::min() * 1e3F; }));
    EXPECT_TRUE(
        std::ranges::any_of(numbers, [](T x) { return std::abs(x) > std::numeric_limits<T>::max() / 1e3F; }));
  };
  check.operator()<float>(Number::f32);
  check.operator()<double>(Number::f64);
}

TEST(RandomBits, sets_and_clears_every_bit_of_whole_numbers) {
  for (const Number number : kNumbers) {
    if (is_real(number)) continue;
    with_number(number, [&]<class T>() {
      std::uint64_t any = 0;
      std::uint64_t all = ~std::uint64_t{0};
      for (const T x : drawn<T>({"random_bits", number, 300, {}, 0, 3}).numbers) {
        any |= static_cast<std::uint64_t>(x);
        all &= static_cast<std::uint64_t>(x);
      }
      EXPECT_EQ(static_cast<T>(any), static_cast<T>(~std::uint64_t{0}));
      EXPECT_EQ(static_cast<T>(all), T{0});
    });
  }
}

TEST(Special, has_every_special_value_and_else_stays_in_its_bounds) {
  const auto check = []<class T>(Number number) {
    using Limits = std::numeric_limits<T>;
    const auto numbers = drawn<T>({"special", number, 5000, between_bounds<T>(2, 3), 0, 3}).numbers;
    int nan = 0, minus_nan = 0, infinite = 0, minus_infinite = 0, zero = 0, minus_zero = 0, least = 0,
        most = 0, usual = 0;
    for (const T x : numbers) {
      if (std::isnan(x))
        ++(std::signbit(x) ? minus_nan : nan);
      else if (std::isinf(x))
        ++(x > 0 ? infinite : minus_infinite);
      else if (x == 0)
        ++(std::signbit(x) ? minus_zero : zero);
      else if (x == Limits::denorm_min())
        ++least;
      else if (x == Limits::max())
        ++most;
      else if (x >= 2 && x <= 3)
        ++usual;
      else
        ADD_FAILURE() << x;
    }
    for (const int times : {nan, minus_nan, infinite, minus_infinite, zero, minus_zero, least, most})
      EXPECT_GT(times, 100);
    EXPECT_GT(usual, 2000);
  };
  check.operator()<float>(Number::f32);
  check.operator()<double>(Number::f64);
}

template <class T>
void expect_exact(const Drawing& drawing) {
  const auto [numbers, error] = drawn<T>(drawing);
  ASSERT_EQ(error, "") << "count " << drawing.count << ", sum_below " << drawing.sum_below << ", seed "
                       << drawing.seed;
  for (const T x : numbers) {
    ASSERT_EQ(x, std::trunc(x));
    ASSERT_LE(std::abs(static_cast<double>(x)), drawing.range.real_high);
  }
  ASSERT_LT(magnitudes(numbers), drawing.sum_below);
}

TEST(Exact, sums_are_whole_numbers_below_the_limit_at_every_count) {
  for (const double limit : {0x1p11, 0x1p13, 0x1p14, 0x1p16, 0x1p20, 0x1p24}) {
    for (const std::uint64_t count : {1, 2, 3, 100, 255, 256, 257, 1000, 4099, 100003}) {
      for (std::uint64_t seed = 0; seed < (count < 10000 ? 60U : 3U); ++seed)
        expect_exact<float>({"exact", Number::f32, count, {0, 0, -limit, limit}, limit, seed});
    }
  }
  for (const double limit : {0x1p24, 0x1p52, 0x1p53}) {
    for (const std::uint64_t count : {1, 257, 4099, 100003})
      expect_exact<double>({"exact", Number::f64, count, {0, 0, -limit, limit}, limit, 7});
  }
}

TEST(Exact, has_large_numbers_of_both_signs_and_no_zero_at_the_edges_of_blocks) {
  const auto numbers =
      drawn<float>({"exact", Number::f32, 100000, {0, 0, -0x1p24, 0x1p24}, 0x1p24, 1}).numbers;
  const auto large = std::ranges::count_if(numbers, [](float x) { return std::abs(x) > 4096; });
  EXPECT_THAT(large, AllOf(testing::Gt(400), testing::Lt(1200)));
  EXPECT_TRUE(std::ranges::any_of(numbers, [](float x) { return x > 4096; }));
  EXPECT_TRUE(std::ranges::any_of(numbers, [](float x) { return x < -4096; }));
  EXPECT_TRUE(std::ranges::any_of(numbers, [](float x) { return x == 0; }));
  EXPECT_NE(numbers.front(), 0);
  EXPECT_NE(numbers.back(), 0);
  for (std::size_t edge = 256; edge < numbers.size(); edge += 256) {
    ASSERT_NE(numbers[edge - 1], 0) << edge;
    ASSERT_NE(numbers[edge], 0) << edge;
  }
}

TEST(Exact, has_no_zero_at_the_edges_of_blocks_though_one_bound_is_zero) {
  for (const auto& [low, high] : {std::pair{0.0, 2.0}, {-2.0, 0.0}, {0.0, 1.5}, {-0.5, 100.0}}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto numbers =
          drawn<float>({"exact", Number::f32, 1000, {0, 0, low, high}, 0x1p24, seed}).numbers;
      for (const std::size_t edge : {0, 255, 256, 511, 512, 999})
        ASSERT_NE(numbers[edge], 0) << edge << " of " << low << " to " << high << ", seed " << seed;
    }
  }
}

TEST(Exact, of_doubles_with_room_has_numbers_that_a_float_cannot_hold) {
  const auto numbers =
      drawn<double>({"exact", Number::f64, 10000, {0, 0, -0x1p53, 0x1p53}, 0x1p53, 1}).numbers;
  EXPECT_TRUE(
      std::ranges::any_of(numbers, [](double x) { return static_cast<double>(static_cast<float>(x)) != x; }));
}

TEST(Exact, stays_in_bounds_that_are_no_whole_numbers) {
  for (const auto& [low, high] :
       {std::pair{-1.5, 1.5}, {0.0, 0.5}, {-2.7, 0.9}, {0.5, 10000.5}, {-4500.0, -1.5}, {1.0, 1.0}}) {
    const auto [numbers, error] = drawn<float>({"exact", Number::f32, 2000, {0, 0, low, high}, 0x1p24, 4});
    ASSERT_EQ(error, "") << low << " to " << high;
    for (const float x : numbers) {
      ASSERT_EQ(x, std::trunc(x)) << low << " to " << high;
      ASSERT_GE(x, low);
      ASSERT_LE(x, high);
    }
  }
}

TEST(Exact, that_cannot_be_is_an_error_of_its_class) {
  const auto sum = drawn<float>({"exact", Number::f32, 1000, {0, 0, 100, 200}, 1000, 1}).error;
  EXPECT_THAT(sum, AllOf(testing::StartsWith("exact: "), HasSubstr("sum_below is 1000"),
                         HasSubstr("lower the bounds")));
  const auto none = drawn<float>({"exact", Number::f32, 10, {0, 0, 0.2, 0.8}, 1000, 1}).error;
  EXPECT_THAT(none, AllOf(testing::StartsWith("exact: "), HasSubstr("whole number")));
}

TEST(Offsets, begin_with_0_end_with_high_and_never_fall) {
  for (const Number number : kNumbers) {
    with_number(number, [&]<class T>() {
      for (const std::uint64_t count : {2, 3, 100, 5000}) {
        for (const int end : {0, 1, 100, 127}) {
          for (std::uint64_t seed = 0; seed < 10; ++seed) {
            const auto [numbers, error] =
                drawn<T>({"offsets", number, count, between_bounds<T>(0, static_cast<T>(end)), 0, seed});
            ASSERT_EQ(error, "");
            ASSERT_EQ(numbers.front(), T{0});
            ASSERT_EQ(numbers.back(), static_cast<T>(end));
            ASSERT_TRUE(std::ranges::is_sorted(numbers));
          }
        }
      }
    });
  }
}

TEST(Offsets, have_even_skewed_and_empty_rows_by_seed) {
  std::vector<std::uint32_t> longest;
  std::vector<std::ptrdiff_t> empty;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto numbers =
        drawn<std::uint32_t>({"offsets", Number::u32, 101, between_bounds<std::uint32_t>(0, 100000), 0, seed})
            .numbers;
    std::uint32_t most = 0;
    std::ptrdiff_t none = 0;
    for (std::size_t r = 0; r < 100; ++r) {
      most = std::max(most, numbers[r + 1] - numbers[r]);
      none += numbers[r + 1] == numbers[r] ? 1 : 0;
    }
    longest.push_back(most);
    empty.push_back(none);
  }
  EXPECT_LT(*std::ranges::min_element(longest), 3000U);
  EXPECT_GT(*std::ranges::max_element(longest), 40000U);
  EXPECT_EQ(*std::ranges::min_element(empty), 0);
  EXPECT_GT(*std::ranges::max_element(empty), 50);
}

TEST(Offsets, of_a_kind_are_of_it_for_every_seed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const char* name : {"even_offsets", "skewed_offsets", "sparse_offsets"}) {
      const auto numbers =
          drawn<std::uint32_t>({name, Number::u32, 401, between_bounds<std::uint32_t>(0, 20000), 0, seed})
              .numbers;
      ASSERT_EQ(numbers.back(), 20000U);
      std::uint32_t most = 0;
      int none = 0;
      for (std::size_t r = 0; r < 400; ++r) {
        most = std::max(most, numbers[r + 1] - numbers[r]);
        none += numbers[r + 1] == numbers[r] ? 1 : 0;
      }
      const std::string_view kind = name;
      EXPECT_EQ(most > 9600, kind == "skewed_offsets") << name << seed;
      EXPECT_EQ(most <= 120, kind == "even_offsets") << name << seed;
      EXPECT_EQ(none < 50, kind == "even_offsets") << name << seed;
      EXPECT_EQ(none > 260, kind == "sparse_offsets") << name << seed;
    }
  }
}

TEST(Few, are_one_to_four_values_that_changes_keep) {
  std::set<std::size_t> numbers_of_values;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Drawing drawing{"few", Number::i32, 1000, between_bounds(-1000000, 1000000), 0, seed};
    auto numbers = drawn<int>(drawing).numbers;
    const std::set<int> values(numbers.begin(), numbers.end());
    numbers_of_values.insert(values.size());
    for (std::uint64_t round = 0; round < 20; ++round) {
      for (const Change& change : redraw(drawing, round, std::as_writable_bytes(std::span(numbers))))
        EXPECT_TRUE(values.contains(numbers[change.index]));
    }
  }
  EXPECT_EQ(numbers_of_values, (std::set<std::size_t>{1, 2, 3, 4}));
}

TEST(Offsets, of_no_or_one_element_hold_0_alone) {
  EXPECT_EQ(drawn<int>({"offsets", Number::i32, 0, between_bounds(0, 9), 0, 1}).error, "");
  EXPECT_EQ(drawn<int>({"offsets", Number::i32, 1, between_bounds(0, 0), 0, 1}).numbers, std::vector<int>{0});
  EXPECT_THAT(drawn<int>({"offsets", Number::i32, 1, between_bounds(0, 9), 0, 1}).error,
              AllOf(testing::StartsWith("offsets: "), HasSubstr("must be 0, and high is 9")));
}

TEST(Permutation, has_every_index_once_in_an_order_of_the_seed) {
  for (const Number number : kNumbers) {
    with_number(number, [&]<class T>() {
      for (const std::uint64_t count : {0, 1, 2, 128}) {
        Drawing drawing{"permutation", number, count, {}, 0, 1};
        auto [numbers, error] = drawn<T>(drawing);
        ASSERT_EQ(error, "");
        drawing.seed = 2;
        if (count == 128) {
          EXPECT_NE(numbers, drawn<T>(drawing).numbers);
        }
        std::ranges::sort(numbers);
        for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(numbers[i], static_cast<T>(i));
      }
    });
  }
}

TEST(Permutation, that_a_type_cannot_hold_is_an_error_of_its_class) {
  EXPECT_THAT(drawn<std::int8_t>({"permutation", Number::i8, 129, {}, 0, 1}).error,
              AllOf(testing::StartsWith("permutation: "), HasSubstr("128")));
  EXPECT_EQ(drawn<std::uint8_t>({"permutation", Number::u8, 256, {}, 0, 1}).error, "");
  EXPECT_THAT(drawn<std::uint8_t>({"permutation", Number::u8, 257, {}, 0, 1}).error, HasSubstr("256"));
}

}  // namespace
}  // namespace warpmark::plain
