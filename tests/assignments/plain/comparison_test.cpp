#include "harness/assignments/plain/comparison.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::plain {
namespace {

using testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& numbers) {
  return std::as_bytes(std::span(numbers));
}

template <class T>
std::optional<Difference> difference(const char* type, const Tolerance& tolerance,
                                     const std::vector<T>& expected, const std::vector<T>& actual,
                                     const std::vector<T>& bounds = {}, const std::vector<T>& before = {}) {
  return first_difference(
      {find_element(type), &tolerance, bytes_of(expected), bytes_of(bounds), bytes_of(before)}, 0,
      bytes_of(actual));
}
bool right(const Tolerance& tolerance, float expected, float actual) {
  return !difference<float>("float", tolerance, {expected}, {actual});
}
bool right(const Tolerance& tolerance, double expected, double actual) {
  return !difference<double>("double", tolerance, {expected}, {actual});
}
float next(float x, int steps = 1) {
  for (; steps > 0; --steps) x = std::nextafter(x, kInfinite);
  return x;
}

TEST(ComparedExactly, whole_numbers_must_be_equal) {
  EXPECT_FALSE(difference<int>("int", {}, {1, 2, 3}, {1, 2, 3}));
  const auto found = difference<int>("int", {}, {1, 2, 3}, {1, 5, 4});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 1U);
  EXPECT_EQ(found->expected, "2");
  EXPECT_EQ(found->actual, "5");
  EXPECT_EQ(found->before, "");
}

TEST(ComparedExactly, every_type_shows_its_numbers_as_numbers) {
  const auto texts = []<class T>(const char* type, T expected, T actual) {
    const auto found = difference<T>(type, {}, {expected}, {actual});
    return found ? found->expected + " " + found->actual : "equal";
  };
  EXPECT_EQ(texts.operator()<std::int8_t>("char", 65, -66), "65 -66");
  EXPECT_EQ(texts.operator()<std::uint8_t>("unsigned char", 65, 200), "65 200");
  EXPECT_EQ(texts.operator()<std::int16_t>("short", -1, 1), "-1 1");
  EXPECT_EQ(texts.operator()<std::uint64_t>("size_t", 0, ~std::uint64_t{0}), "0 18446744073709551615");
  EXPECT_EQ(texts.operator()<std::int64_t>("long long", std::numeric_limits<std::int64_t>::min(), 0),
            "-9223372036854775808 0");
  EXPECT_EQ(texts.operator()<std::uint8_t>("bool", 1, 255), "1 255") << "a bool of another byte is no bool";
}

TEST(ComparedExactly, reals_may_differ_in_the_sign_of_zero_alone) {
  EXPECT_TRUE(right({}, 1.5F, 1.5F));
  EXPECT_TRUE(right({}, 0.0F, -0.0F));
  EXPECT_TRUE(right({}, kInfinite, kInfinite));
  EXPECT_FALSE(right({}, kInfinite, -kInfinite));
  EXPECT_FALSE(right({}, 1.0F, next(1.0F)));
  const auto found = difference<float>("float", {}, {0.1F}, {0.2F});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->expected, "0.1 (exactly)");
  EXPECT_EQ(found->actual, "0.2");
}

TEST(ComparedNan, is_never_right_without_bits) {
  Tolerance wide;
  wide.absolute = 1e9;
  wide.relative = 1e9;
  wide.ulps = ~std::uint64_t{0};
  for (const Tolerance& tolerance : {Tolerance{}, wide}) {
    EXPECT_FALSE(right(tolerance, 1.0F, kNan));
    EXPECT_FALSE(right(tolerance, kNan, 1.0F));
    EXPECT_FALSE(right(tolerance, kNan, kNan));
    EXPECT_FALSE(right(tolerance, 1.0F, kInfinite));
    EXPECT_FALSE(right(tolerance, kInfinite, std::numeric_limits<float>::max()));
    EXPECT_TRUE(right(tolerance, kInfinite, kInfinite));
  }
  EXPECT_EQ(difference<float>("float", wide, {1}, {kNan})->actual, "nan");
}

TEST(ComparedBits, must_be_the_same) {
  Tolerance bits;
  bits.bits = true;
  EXPECT_TRUE(right(bits, kNan, kNan));
  EXPECT_FALSE(right(bits, kNan, -kNan));
  EXPECT_FALSE(right(bits, 0.0F, -0.0F));
  EXPECT_TRUE(right(bits, -0.0F, -0.0F));
  EXPECT_FALSE(right(bits, 1.0, std::nextafter(1.0, 2)));
  const auto found = difference<float>("float", bits, {kNan, 1, 0}, {kNan, 1, -0.0F});
  ASSERT_TRUE(found) << "a right NaN before it does not end the comparison";
  EXPECT_EQ(found->number, 2U);
}

TEST(ComparedWithin, an_absolute_error_is_at_most_the_bound) {
  Tolerance tolerance;
  tolerance.absolute = 0.25;
  EXPECT_TRUE(right(tolerance, 1.0F, 1.25F));
  EXPECT_TRUE(right(tolerance, 1.0F, 0.75F));
  EXPECT_FALSE(right(tolerance, 1.0F, next(1.25F)));
  EXPECT_TRUE(right(tolerance, 0.0F, -0.25F));
  EXPECT_EQ(difference<float>("float", tolerance, {1}, {2})->expected, "1 +- 0.25");
}

TEST(ComparedWithin, a_relative_error_is_of_the_expected_value) {
  Tolerance tolerance;
  tolerance.relative = 0.25;
  EXPECT_TRUE(right(tolerance, 4.0F, 5.0F));
  EXPECT_TRUE(right(tolerance, -4.0F, -3.0F));
  EXPECT_FALSE(right(tolerance, 4.0F, next(5.0F)));
  EXPECT_FALSE(right(tolerance, 0.0F, 1e-30F)) << "nothing is near 0 but 0";
  EXPECT_TRUE(right(tolerance, 0.0F, -0.0F));
  EXPECT_EQ(difference<float>("float", tolerance, {4}, {8})->expected, "4 +- 0.25 of it");
}

TEST(ComparedWithin, ulps_count_representable_numbers_across_zero) {
  Tolerance tolerance;
  tolerance.ulps = 4;
  EXPECT_TRUE(right(tolerance, 1.0F, next(1.0F, 4)));
  EXPECT_FALSE(right(tolerance, 1.0F, next(1.0F, 5)));
  EXPECT_TRUE(right(tolerance, next(1.0F, 4), 1.0F));
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(right(tolerance, -2 * least, 2 * least));
  EXPECT_FALSE(right(tolerance, -2 * least, 3 * least));
  EXPECT_TRUE(right(tolerance, -0.0F, 4 * least));
  EXPECT_FALSE(right(tolerance, -0.0F, 5 * least));
  EXPECT_FALSE(right(tolerance, -1.0F, 1.0F));
  EXPECT_TRUE(right(tolerance, -1.0, std::nextafter(-1.0, 0.0)));
  EXPECT_FALSE(right(tolerance, -1.0, 1.0));
  EXPECT_FALSE(right(tolerance, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()));
  EXPECT_EQ(difference<double>("double", tolerance, {0.1}, {0.2})->expected, "0.10000000000000001 +- 4 ulps");
}

TEST(ComparedWithin, one_tolerance_of_several_is_enough) {
  Tolerance tolerance;
  tolerance.absolute = 0.5;
  tolerance.relative = 0.01;
  EXPECT_TRUE(right(tolerance, 0.125F, 0.625F));
  EXPECT_TRUE(right(tolerance, 1000.0F, 1009.0F));
  EXPECT_FALSE(right(tolerance, 10.0F, 10.6F));
}

TEST(ComparedWithin, bounds_of_the_course_belong_to_each_number) {
  Tolerance tolerance;
  tolerance.expected = true;
  const std::vector<float> expected{1, 1, 1};
  const std::vector<float> bounds{0.5, 0, 0.25};
  EXPECT_FALSE(difference<float>("float", tolerance, expected, {1.5, 1, 0.75}, bounds));
  const auto first = difference<float>("float", tolerance, expected, {1.5, 1.25, 2}, bounds);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->number, 1U);
  EXPECT_EQ(first->expected, "1 (exactly)");
  const auto second = difference<float>("float", tolerance, expected, {1, 1, 1.5}, bounds);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->number, 2U);
  EXPECT_EQ(second->expected, "1 +- 0.25");
}

TEST(ComparedParts, begin_at_an_index_of_the_whole) {
  Tolerance tolerance;
  tolerance.expected = true;
  const std::vector<double> expected{1, 2, 3, 4};
  const std::vector<double> bounds{0, 0, 0, 0.5};
  const std::vector<double> before{9, 9, 9, 8};
  const Comparison comparison{find_element("double"), &tolerance, bytes_of(expected), bytes_of(bounds),
                              bytes_of(before)};
  EXPECT_FALSE(first_difference(comparison, 2, bytes_of(std::vector<double>{3, 4.5})));
  EXPECT_FALSE(first_difference(comparison, 4, {}));
  const auto found = first_difference(comparison, 2, bytes_of(std::vector<double>{3, 8}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 3U);
  EXPECT_EQ(found->before, ": it still holds what it held before the call");
  EXPECT_EQ(first_difference(comparison, 2, bytes_of(std::vector<double>{3, 9}))->before, "");
}

TEST(ComparedVectors, are_compared_number_by_number) {
  const auto found = difference<float>("float2", {}, {1, 2, 3, 4}, {1, 2, 3, 5});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 3U);
}

TEST(BadBound, is_the_first_that_is_negative_or_nan) {
  const Element& real = *find_element("float");
  EXPECT_FALSE(bad_bound(real, bytes_of(std::vector<float>{0, 1, kInfinite, -0.0F})));
  EXPECT_EQ(bad_bound(real, bytes_of(std::vector<float>{0, -1, kNan})), 1U);
  EXPECT_EQ(bad_bound(real, bytes_of(std::vector<float>{0, 1, kNan})), 2U);
  EXPECT_FALSE(bad_bound(real, {}));
}

}  // namespace
}  // namespace warpmark::plain
