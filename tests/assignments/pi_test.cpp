// What the judge asks of an area: the limits, the rectangles' area, and what is refused.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kLimits = 0;
constexpr std::size_t kArea = 1;

FilledCase pi(const std::string& data, std::uint64_t n, std::uint64_t seed = 0x5eed) {
  return {"pi", {"double", data, n, 0, seed}};
}

// As a first program would write it. `place` is where in a rectangle its height is taken.
double area_in_order(const FilledCase& filled, std::uint64_t n, double place = 0.5) {
  const auto limits = filled.values<double>(kLimits);
  if (n == 0) return 0;
  const double h = (limits[1] - limits[0]) / static_cast<double>(n);
  double sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = limits[0] + (static_cast<double>(i) + place) * h;
    sum += h * (4 / (1 + x * x));
  }
  return sum;
}

bool accepts(const FilledCase& filled, double area) {
  return filled.accepts(kArea, std::vector{area});
}

TEST(Pi, knows_its_type_and_classes_of_data) {
  const auto assignment = assignment_called("pi");
  EXPECT_THAT(assignment->data_classes("double"), ElementsAre("flat", "pi", "uniform"));
  EXPECT_THAT(assignment->data_classes("int"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("double"), 8U);
  EXPECT_EQ(assignment->value_bytes("float"), 0U);
  EXPECT_EQ(assignment->wrong_answer(), "wrong_sum");
}

TEST(Pi, asks_for_the_buffers_that_its_contract_promises) {
  const FilledCase filled("pi", {"double", "pi", 1000, 1, 1});
  ASSERT_EQ(filled.specs.size(), 3U);
  EXPECT_EQ(filled.specs[kLimits].bytes, 16U);
  EXPECT_EQ(filled.specs[kLimits].offset, 8U);
  EXPECT_TRUE(filled.specs[kLimits].patched);
  EXPECT_EQ(filled.specs[kArea].bytes, 8U);
  EXPECT_GE(filled.specs[2].bytes, (1000 + 1000 / 64 + 16384) * 8U);
  EXPECT_THAT(filled.problem->scalars(), ElementsAre(1000U));
}

class Areas : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Areas, of_the_rectangles_are_accepted_in_every_class) {
  for (const char* data : {"flat", "pi", "uniform"}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const FilledCase filled = pi(data, GetParam(), seed);
      EXPECT_TRUE(accepts(filled, area_in_order(filled, GetParam()))) << data << seed;
    }
  }
}

TEST_P(Areas, of_other_rectangles_are_refused) {
  const std::uint64_t n = GetParam();
  if (n == 0) return;
  for (const char* data : {"pi", "uniform"}) {
    const FilledCase filled = pi(data, n);
    EXPECT_FALSE(accepts(filled, area_in_order(filled, n, 0))) << data << ": left edges";
    EXPECT_FALSE(accepts(filled, area_in_order(filled, n, 1))) << data << ": right edges";
  }
  for (const char* data : {"flat", "pi", "uniform"}) {
    const FilledCase filled = pi(data, n);
    const double one = area_in_order(filled, n) / static_cast<double>(n);
    EXPECT_FALSE(accepts(filled, area_in_order(filled, n) - one)) << data << ": one is missing";
    EXPECT_FALSE(accepts(filled, area_in_order(filled, n) + one)) << data << ": one is counted twice";
    EXPECT_FALSE(accepts(filled, -area_in_order(filled, n))) << data << ": the other way round";
    EXPECT_FALSE(accepts(filled, 0)) << data;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, Areas, testing::Values(0, 1, 2, 33, 257, 1025, 65537, 1 << 20));

TEST(Pi, refuses_what_is_not_a_number) {
  using Limits = std::numeric_limits<double>;
  for (const char* data : {"flat", "pi", "uniform"}) {
    for (const std::uint64_t n : {0, 1, 1000}) {
      for (const double wrong : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
        EXPECT_FALSE(accepts(pi(data, n), wrong)) << data << n << wrong;
      }
    }
  }
}

TEST(Pi, refuses_what_was_computed_in_float) {
  const FilledCase filled = pi("uniform", 1000);
  const auto area = static_cast<float>(area_in_order(filled, 1000));
  EXPECT_FALSE(accepts(filled, static_cast<double>(area)));
}

// Else a program could leave out the rectangles and integrate.
TEST(Pi, refuses_the_integral_where_the_rectangles_differ_from_it) {
  for (const std::uint64_t n : {1, 2, 33, 1000}) {
    EXPECT_FALSE(accepts(pi("pi", n), 3.14159265358979323846)) << n;
  }
}

TEST(Pi, has_limits_in_both_orders) {
  std::size_t falling = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto limits = pi("uniform", 10, seed).values<double>(kLimits);
    falling += limits[1] < limits[0] ? 1 : 0;
    EXPECT_LE(std::abs(limits[0]), 1);
    EXPECT_LE(std::abs(limits[1]), 1);
  }
  EXPECT_GT(falling, 5U);
  EXPECT_LT(falling, 35U);
}

// Then every order of the additions gives the same bits.
TEST(Pi, has_heights_of_exactly_4_where_the_curve_is_flat) {
  for (const std::uint64_t n : {1, 1000, 1 << 26}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto limits = pi("flat", n, seed).values<double>(kLimits);
      EXPECT_EQ(4 / (1 + limits[1] * limits[1]), 4);
      const double h = (limits[1] - limits[0]) / static_cast<double>(n);
      EXPECT_EQ(h * static_cast<double>(n), limits[1] - limits[0]);
      EXPECT_EQ(h / 0x1p-80, std::floor(h / 0x1p-80));
      EXPECT_GT(h, 0);
    }
  }
}

// From 2^22 rectangles on the assignment uses a formula; a sum in extended precision is the judge of it.
TEST(Pi, the_area_of_many_rectangles_is_their_sum) {
  constexpr std::size_t kMany = std::size_t{1} << 22;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const FilledCase filled = pi("uniform", kMany, seed);
    const auto limits = filled.values<double>(kLimits);
    const long double width = (static_cast<long double>(limits[1]) - limits[0]) / kMany;
    long double sum = 0;
    for (std::size_t i = 0; i < kMany; ++i) {
      const long double x = limits[0] + (static_cast<long double>(i) + 0.5L) * width;
      sum += 4 / (1 + x * x);
    }
    const auto area = static_cast<double>(sum * width);
    EXPECT_TRUE(accepts(filled, area));
    const auto wrong = filled.check(kArea, std::vector{area + 1});
    ASSERT_TRUE(wrong);
    EXPECT_NEAR(std::stod(wrong->expected), area, 1e-14 * std::abs(area));
  }
}

TEST(Pi, patches_keep_the_expected_area_right) {
  for (const char* data : {"flat", "uniform"}) {
    FilledCase filled = pi(data, 1000);
    for (std::uint64_t round = 0; round < 50; ++round) {
      const double before = area_in_order(filled, 1000);
      ASSERT_TRUE(filled.patch(round, 8)) << "the judge's copy is not what the device holds";
      const double after = area_in_order(filled, 1000);
      ASSERT_TRUE(accepts(filled, after)) << data << round;
      ASSERT_FALSE(accepts(filled, before)) << data << round << ": the area before the patches";
    }
  }
}

TEST(Pi, a_clone_is_patched_on_its_own) {
  const FilledCase filled = pi("uniform", 1000);
  const auto clone = filled.problem->clone();
  auto contents = filled.contents[kLimits];
  ASSERT_FALSE(clone->patch(1, 8, contents).empty());
  EXPECT_TRUE(accepts(filled, area_in_order(filled, 1000)));
  const std::vector area{area_in_order(filled, 1000)};
  EXPECT_TRUE(clone->check(kArea, std::as_bytes(std::span(area))));
}

TEST(Pi, a_mismatch_tells_limits_and_both_areas) {
  const FilledCase filled = pi("pi", 1000);
  const auto mismatch = filled.check(kArea, std::vector{3.0});
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("between 0 and 1"));
  EXPECT_THAT(mismatch->expected, testing::StartsWith("3.14159"));
  EXPECT_EQ(mismatch->actual, "3");
}

}  // namespace
}  // namespace warpmark
