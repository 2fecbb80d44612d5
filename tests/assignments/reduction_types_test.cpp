// The value types of `reduction` that the course does not grade, but the reference is tested with.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled_sum.h"

namespace warpmark {
namespace {

using testing::ElementsAre;

Case long_longs(std::uint64_t n) {
  return {"long long", "uniform", n, 0, 0x5eed};
}
Case exact_doubles(std::uint64_t n) {
  return {"double", "exact", n, 0, 0x5eed};
}
Case random_doubles(std::uint64_t n) {
  return {"double", "uniform", n, 0, 0x5eed};
}

// Modulo 2^64, as CUDA adds.
long long sum_of(std::span<const long long> values) {
  unsigned long long sum = 0;
  for (const long long value : values) sum += static_cast<unsigned long long>(value);
  return static_cast<long long>(sum);
}

TEST(WideTypes, are_known_with_their_size_and_classes) {
  const auto assignment = assignment_called("reduction");
  EXPECT_EQ(assignment->value_bytes("long long"), 8U);
  EXPECT_EQ(assignment->value_bytes("double"), 8U);
  EXPECT_THAT(assignment->data_classes("long long"), ElementsAre("uniform"));
  EXPECT_THAT(assignment->data_classes("double"), ElementsAre("exact", "uniform"));
}

TEST(WideTypes, of_nothing_sum_to_zero) {
  EXPECT_TRUE(FilledSum<long long>(long_longs(0)).accepts(0));
  EXPECT_FALSE(FilledSum<long long>(long_longs(0)).accepts(1));
  for (const Case& which : {exact_doubles(0), random_doubles(0)}) {
    EXPECT_TRUE(FilledSum<double>(which).accepts(0));
    EXPECT_FALSE(FilledSum<double>(which).accepts(std::numeric_limits<double>::denorm_min()));
  }
}

TEST(LongLongs, use_all_64_bits_and_wrap_round) {
  const FilledSum<long long> filled(long_longs(100'003));
  const long long sum = sum_of(filled.values);
  EXPECT_TRUE(filled.accepts(sum));
  EXPECT_FALSE(filled.accepts(sum ^ 1));
  EXPECT_FALSE(filled.accepts(sum ^ std::numeric_limits<long long>::min()));
  EXPECT_FALSE(filled.accepts(static_cast<int>(sum))) << "the low 32 bits alone";
  EXPECT_FALSE(filled.accepts(sum_of(std::span(filled.values).first(100'002))));
}

class ExactDoubles : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ExactDoubles, hold_in_doubles_in_every_order) {
  const FilledSum<double> filled(exact_doubles(GetParam()));
  double magnitude = 0;
  for (const double value : filled.values) {
    EXPECT_EQ(value, std::trunc(value));
    magnitude += std::abs(value);
  }
  EXPECT_LT(magnitude, 0x1p53);
  const double sum = sum_as_tree<double>(filled.values);
  EXPECT_EQ(sum, std::accumulate(filled.values.begin(), filled.values.end(), 0.0));
  EXPECT_EQ(sum, std::accumulate(filled.values.rbegin(), filled.values.rend(), 0.0));
  EXPECT_TRUE(filled.accepts(sum));
  EXPECT_FALSE(filled.accepts(std::nextafter(sum, 1e300)));
  EXPECT_FALSE(filled.accepts(std::numeric_limits<double>::quiet_NaN()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ExactDoubles, testing::Values(1, 2, 257, 4099, 65537, 1 << 20, 1 << 22));

TEST(ExactDoubles, summed_as_floats_are_refused) {
  for (const std::uint64_t n : {33, 257, 4099, 65537}) {
    const FilledSum<double> filled(exact_doubles(n));
    float sum = 0;
    for (const double value : filled.values) sum += static_cast<float>(value);
    EXPECT_FALSE(filled.accepts(sum)) << n;
  }
}

TEST(RandomDoubles, may_round_in_any_order_but_not_to_floats) {
  for (const std::uint64_t n : {33, 1025, 65537, 1 << 20}) {
    const FilledSum<double> filled(random_doubles(n));
    EXPECT_TRUE(filled.accepts(sum_as_tree<double>(filled.values))) << n;
    EXPECT_TRUE(filled.accepts(std::accumulate(filled.values.begin(), filled.values.end(), 0.0))) << n;
    EXPECT_TRUE(filled.accepts(std::accumulate(filled.values.rbegin(), filled.values.rend(), 0.0))) << n;
    EXPECT_FALSE(filled.accepts(static_cast<float>(sum_as_tree<double>(filled.values)))) << n;
    EXPECT_FALSE(filled.accepts(sum_as_tree<double>(std::span(filled.values).first(n - 1)))) << n;
    EXPECT_FALSE(filled.accepts(std::numeric_limits<double>::quiet_NaN())) << n;
  }
}

}  // namespace
}  // namespace warpmark
