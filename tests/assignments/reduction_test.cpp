// What the judge asks of a sum: the inputs, the expected value, and what is refused.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled_sum.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Case exact(std::uint64_t n, std::uint64_t seed = 0x5eed) {
  return {"float", "exact", n, 0, seed};
}
Case random_floats(std::uint64_t n, std::uint64_t seed = 0x5eed) {
  return {"float", "uniform", n, 0, seed};
}
Case random_ints(std::uint64_t n, std::uint64_t seed = 0x5eed) {
  return {"int", "uniform", n, 0, seed};
}

// Modulo 2^32, as CUDA adds.
std::int32_t sum_of(std::span<const std::int32_t> values) {
  std::uint32_t sum = 0;
  for (const std::int32_t value : values) sum += static_cast<std::uint32_t>(value);
  return static_cast<std::int32_t>(sum);
}

template <class Iterator>
float sum_in_order(Iterator begin, Iterator end) {
  return std::accumulate(begin, end, 0.0F);
}

double exact_sum(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// To `bits` bits of significand, to nearest: 11 is half precision, 8 is bfloat16.
float rounded_to(float value, int bits) {
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

TEST(Reduction, knows_its_types_and_classes_of_data) {
  const auto assignment = assignment_called("reduction");
  EXPECT_THAT(assignment->data_classes("int"), ElementsAre("uniform"));
  EXPECT_THAT(assignment->data_classes("float"), ElementsAre("exact", "uniform"));
  EXPECT_THAT(assignment->data_classes("char"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("int"), 4U);
  EXPECT_EQ(assignment->value_bytes("float"), 4U);
  EXPECT_EQ(assignment->value_bytes("char"), 0U);
  EXPECT_EQ(assignment->wrong_answer(), "wrong_sum");
}

TEST(Reduction, asks_for_the_buffers_that_its_contract_promises) {
  for (const std::uint64_t n : {0, 1, 1000, 1 << 20}) {
    const auto problem = assignment_called("reduction")->make({"float", "exact", n, 1, 1});
    const auto buffers = problem->buffers();
    ASSERT_EQ(buffers.size(), 3U);
    EXPECT_EQ(buffers[0].role, Role::input);
    EXPECT_EQ(buffers[0].bytes, n * 4);
    EXPECT_EQ(buffers[0].offset, 4U);
    EXPECT_EQ(buffers[1].role, Role::output);
    EXPECT_EQ(buffers[1].bytes, 4U);
    EXPECT_EQ(buffers[2].role, Role::scratch);
    EXPECT_GE(buffers[2].bytes, (n / 16 + 16384) * 4);
    EXPECT_EQ(buffers[2].offset % 256, 0U);
    EXPECT_THAT(problem->scalars(), ElementsAre(n));
  }
}

TEST(Reduction, makes_the_same_input_for_the_same_case_and_another_for_another_seed) {
  for (const Case& which : {random_ints(1000), exact(1000), random_floats(1000)}) {
    const FilledSum<std::int32_t> first(which);  // as bits, whatever the type
    EXPECT_EQ(first.values, FilledSum<std::int32_t>(which).values);
    Case other = which;
    other.seed += 1;
    EXPECT_NE(first.values, FilledSum<std::int32_t>(other).values);
  }
}

TEST(Reduction, the_sum_of_nothing_is_zero) {
  EXPECT_TRUE(FilledSum<std::int32_t>(random_ints(0)).accepts(0));
  EXPECT_FALSE(FilledSum<std::int32_t>(random_ints(0)).accepts(1));
  for (const Case& which : {exact(0), random_floats(0)}) {
    EXPECT_TRUE(FilledSum<float>(which).accepts(0));
    EXPECT_FALSE(FilledSum<float>(which).accepts(std::numeric_limits<float>::denorm_min()));
  }
}

class IntegerSums : public testing::TestWithParam<std::uint64_t> {};

TEST_P(IntegerSums, wrap_round_and_are_compared_exactly) {
  const FilledSum<std::int32_t> filled(random_ints(GetParam()));
  const std::int32_t sum = sum_of(filled.values);
  EXPECT_TRUE(filled.accepts(sum));
  EXPECT_FALSE(filled.accepts(sum ^ 1));
  EXPECT_FALSE(filled.accepts(sum ^ std::numeric_limits<std::int32_t>::min()));
}

TEST_P(IntegerSums, over_half_of_the_data_are_refused) {
  const FilledSum<std::int32_t> filled(random_ints(GetParam()));
  const auto values = std::span(filled.values);
  EXPECT_FALSE(filled.accepts(sum_of(values.first(values.size() / 2))));
  EXPECT_FALSE(filled.accepts(sum_of(values.subspan(values.size() / 2 + 1))));
  EXPECT_FALSE(filled.accepts(sum_of(values.first(values.size() - 1))));
}

INSTANTIATE_TEST_SUITE_P(Sizes, IntegerSums, testing::Values(1, 2, 33, 257, 1023, 65537, 1 << 20));

// Sizes around the places where the density of the values changes, up to the largest that is ever timed.
class ExactSums : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ExactSums, hold_in_floats_in_every_order) {
  const FilledSum<float> filled(exact(GetParam()));
  double magnitude = 0;
  std::size_t fractions = 0;
  for (const float value : filled.values) {
    magnitude += std::abs(static_cast<double>(value));
    if (value != std::trunc(value)) ++fractions;
  }
  EXPECT_LT(magnitude, 0x1p24);
  EXPECT_EQ(fractions, 0U);
  const auto sum = static_cast<float>(exact_sum(filled.values));
  EXPECT_EQ(sum_in_order(filled.values.begin(), filled.values.end()), sum);
  EXPECT_EQ(sum_in_order(filled.values.rbegin(), filled.values.rend()), sum);
  EXPECT_EQ(sum_as_tree<float>(filled.values), sum);
  EXPECT_TRUE(filled.accepts(sum));
  EXPECT_FALSE(filled.accepts(sum + 1));
  EXPECT_FALSE(filled.accepts(sum - 1));
}

TEST_P(ExactSums, never_have_a_zero_where_tails_go_wrong) {
  const FilledSum<float> filled(exact(GetParam()));
  const auto& values = filled.values;
  EXPECT_NE(values.front(), 0);
  EXPECT_NE(values.back(), 0);
  if (GetParam() > (1 << 24)) return;  // there only some of the blocks
  for (std::size_t edge = 256; edge < values.size(); edge += 256) {
    ASSERT_NE(values[edge - 1], 0) << edge;
    ASSERT_NE(values[edge], 0) << edge;
  }
}

TEST_P(ExactSums, over_part_of_the_data_are_refused) {
  const FilledSum<float> filled(exact(GetParam()));
  const auto values = std::span(filled.values);
  EXPECT_FALSE(filled.accepts(sum_as_tree<float>(values.first(values.size() - 1)))) << "the last one";
  EXPECT_FALSE(filled.accepts(sum_as_tree<float>(values.subspan(1)))) << "the first one";
  if (values.size() < 2) return;
  const float half = sum_as_tree<float>(values.first(values.size() / 2));
  EXPECT_FALSE(filled.accepts(half)) << "the second half";
  EXPECT_FALSE(filled.accepts(2 * half)) << "the second half, made up for";
  double every_other = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) every_other += values[i];
  EXPECT_FALSE(filled.accepts(static_cast<float>(every_other))) << "every other one";
}

INSTANTIATE_TEST_SUITE_P(Sizes, ExactSums,
                         testing::Values(1, 2, 33, 255, 257, 1023, 4099, 65537, 131071, 1 << 20, 1 << 22,
                                         (3 << 21) - 1, (1 << 24) + 1));

TEST(ExactSums, stay_exact_at_the_largest_size_that_is_timed) {
  const FilledSum<float> filled(exact(1 << 26));
  double magnitude = 0;
  for (const float value : filled.values) magnitude += std::abs(static_cast<double>(value));
  EXPECT_LT(magnitude, 0x1p24);
  EXPECT_TRUE(filled.accepts(sum_as_tree<float>(filled.values)));
  EXPECT_FALSE(filled.accepts(sum_as_tree<float>(std::span(filled.values).first(1 << 25))));
}

// The rounding errors of one input may cancel by chance, so not every seed tells.
TEST(ExactSums, in_lower_precision_are_refused) {
  for (const std::uint64_t n : {1025, 4099, 65537, 100'003, 1 << 20}) {
    for (const int bits : {11, 8}) {
      std::size_t refused = 0;
      for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const FilledSum<float> filled(exact(n, seed));
        double sum = 0;
        for (const float value : filled.values) sum += static_cast<double>(rounded_to(value, bits));
        refused += filled.accepts(static_cast<float>(sum)) ? 0 : 1;
      }
      EXPECT_GE(refused, 4U) << n << " values in " << bits << " bits";
    }
  }
}

TEST(ExactSums, of_ordinary_sizes_hold_a_large_number_now_and_then) {
  const FilledSum<float> filled(exact(100'000));
  const auto large = std::count_if(filled.values.begin(), filled.values.end(),
                                   [](float value) { return std::abs(value) > 4096; });
  EXPECT_GT(large, 100'000 / 128 / 2);
  EXPECT_LT(large, 100'000 / 128 * 2);
}

class NotNumbers : public testing::TestWithParam<Case> {};

TEST_P(NotNumbers, are_no_sum) {
  const FilledSum<float> filled(GetParam());
  using Limits = std::numeric_limits<float>;
  for (const float wrong : {Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::signaling_NaN(),
                            Limits::infinity(), -Limits::infinity()}) {
    EXPECT_FALSE(filled.accepts(wrong)) << wrong;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, NotNumbers,
                         testing::Values(exact(0), exact(1000), random_floats(0), random_floats(1),
                                         random_floats(1 << 20)));

class RandomSums : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomSums, may_round_in_any_order) {
  const FilledSum<float> filled(random_floats(GetParam()));
  EXPECT_TRUE(filled.accepts(static_cast<float>(exact_sum(filled.values))));
  EXPECT_TRUE(filled.accepts(sum_in_order(filled.values.begin(), filled.values.end())));
  EXPECT_TRUE(filled.accepts(sum_in_order(filled.values.rbegin(), filled.values.rend())));
  EXPECT_TRUE(filled.accepts(sum_as_tree<float>(filled.values)));
  std::vector<float> sorted = filled.values;
  std::sort(sorted.begin(), sorted.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
  EXPECT_TRUE(filled.accepts(sum_in_order(sorted.begin(), sorted.end())));
}

INSTANTIATE_TEST_SUITE_P(Sizes, RandomSums, testing::Values(1, 2, 33, 1025, 65537, 1 << 20));

TEST(RandomSums, lie_on_both_sides_of_zero_and_within_one) {
  const FilledSum<float> filled(random_floats(100'000));
  const auto [least, most] = std::minmax_element(filled.values.begin(), filled.values.end());
  EXPECT_GE(*least, -1);
  EXPECT_LT(*least, -0.999);
  EXPECT_LE(*most, 1);
  EXPECT_GT(*most, 0.999);
}

TEST(RandomSums, over_half_of_the_data_are_refused_at_every_size) {
  for (const std::uint64_t n : {2, 33, 257, 4099, 65537, 1 << 20, 1 << 24}) {
    const FilledSum<float> filled(random_floats(n));
    const auto values = std::span(filled.values);
    const float half = sum_as_tree<float>(values.first(n / 2));
    EXPECT_FALSE(filled.accepts(half)) << n;
    EXPECT_FALSE(filled.accepts(2 * half)) << n << ": made up for";
    EXPECT_FALSE(filled.accepts(0)) << n;
  }
}

TEST(RandomSums, without_the_last_value_are_refused_up_to_what_the_rounding_hides) {
  for (const std::uint64_t n : {2, 33, 255, 257, 1000, 4099}) {
    const FilledSum<float> filled(random_floats(n));
    EXPECT_FALSE(filled.accepts(sum_as_tree<float>(std::span(filled.values).first(n - 1)))) << n;
  }
}

TEST(RandomSums, of_a_large_input_made_by_several_threads_are_the_same_each_time) {
  const auto mismatch_of = [] {
    const FilledSum<float> filled(random_floats((1 << 22) + 7));
    const float wrong = 1e9F;
    return filled.problem->check(1, std::as_bytes(std::span(&wrong, 1)))->expected;
  };
  EXPECT_EQ(mismatch_of(), mismatch_of());
}

TEST(Reduction, a_clone_is_patched_on_its_own) {
  FilledSum<std::int32_t> filled(random_ints(1000));
  const auto clone = filled.problem->clone();
  auto contents = filled.values;
  ASSERT_FALSE(clone->patch(1, 16, std::as_writable_bytes(std::span(contents))).empty());
  const auto accepts = [](const Problem& problem, std::int32_t sum) {
    return !problem.check(1, std::as_bytes(std::span(&sum, 1)));
  };
  EXPECT_TRUE(accepts(*filled.problem, sum_of(filled.values)));
  EXPECT_FALSE(accepts(*filled.problem, sum_of(contents)));
  EXPECT_TRUE(accepts(*clone, sum_of(contents)));
}

TEST(Reduction, a_mismatch_tells_what_was_expected_and_what_came) {
  const FilledSum<float> filled(exact(1000));
  const float wrong = static_cast<float>(exact_sum(filled.values)) + 8;
  const auto mismatch = filled.problem->check(1, std::as_bytes(std::span(&wrong, 1)));
  ASSERT_TRUE(mismatch);
  EXPECT_NE(mismatch->expected, mismatch->actual);
  EXPECT_THAT(mismatch->expected, testing::StartsWith(std::to_string(static_cast<int>(wrong) - 8)));
  EXPECT_EQ(mismatch->actual, std::to_string(static_cast<int>(wrong)));
}

template <class T>
T sum_of_type(const std::vector<T>& values) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(exact_sum(values));
  } else {
    return sum_of(values);
  }
}

template <class T>
void expect_patches_to_keep_the_sum_right(const Case& which) {
  SCOPED_TRACE(which.type + " " + which.data + " " + std::to_string(which.n));
  FilledSum<T> filled(which);
  std::vector<T> on_the_device = filled.values;
  std::size_t sums_that_changed = 0;
  for (std::uint64_t round = 0; round < 50; ++round) {
    const T before = sum_of_type(on_the_device);
    const auto patches = filled.problem->patch(round, 16, std::as_writable_bytes(std::span(filled.values)));
    EXPECT_THAT(patches.size(), testing::AnyOf(4U, 8U)) << "the changes, and those of the call before undone";
    for (const Patch& patch : patches) {
      ASSERT_EQ(patch.bytes, sizeof(T));
      ASSERT_EQ(patch.offset % sizeof(T), 0U);
      ASSERT_LE(patch.offset + patch.bytes, which.n * sizeof(T));
      std::memcpy(reinterpret_cast<std::byte*>(on_the_device.data()) + patch.offset, &patch.value,
                  patch.bytes);
    }
    ASSERT_EQ(on_the_device, filled.values) << "the judge's copy is not what the device holds";
    const T after = sum_of_type(on_the_device);
    ASSERT_TRUE(filled.accepts(after)) << round;
    if (after == before) continue;
    ++sums_that_changed;
    if (which.data == "exact" || which.type == "int") {
      ASSERT_FALSE(filled.accepts(before)) << round << ": the sum before the patches is still accepted";
    }
  }
  EXPECT_GE(sums_that_changed, 40U) << "patches must make yesterday's answer wrong";
}

TEST(Patches, keep_the_expected_sum_right) {
  for (const std::uint64_t n : {1, 5, 1000, 100'003}) {
    expect_patches_to_keep_the_sum_right<std::int32_t>(random_ints(n));
    expect_patches_to_keep_the_sum_right<float>(random_floats(n));
  }
  // With few values of a small class many patches change nothing.
  for (const std::uint64_t n : {1000, 100'003}) expect_patches_to_keep_the_sum_right<float>(exact(n));
}

TEST(Patches, keep_exact_sums_below_the_limit) {
  FilledSum<float> filled(exact(1 << 20));
  for (std::uint64_t round = 0; round < 100; ++round) {
    filled.problem->patch(round, 1000, std::as_writable_bytes(std::span(filled.values)));
  }
  double magnitude = 0;
  for (const float value : filled.values) magnitude += std::abs(static_cast<double>(value));
  EXPECT_LT(magnitude, 0x1p24);
  EXPECT_TRUE(filled.accepts(sum_as_tree<float>(filled.values)));
}

TEST(Patches, are_drawn_from_their_seed) {
  const auto offsets = [](std::uint64_t seed) {
    FilledSum<std::int32_t> filled(random_ints(1000));
    std::vector<std::uint64_t> found;
    for (const Patch& patch :
         filled.problem->patch(seed, 16, std::as_writable_bytes(std::span(filled.values)))) {
      found.push_back(patch.offset);
      found.push_back(patch.value);
    }
    return found;
  };
  EXPECT_EQ(offsets(1), offsets(1));
  EXPECT_NE(offsets(1), offsets(2));
}

TEST(Patches, of_nothing_are_none) {
  FilledSum<std::int32_t> filled(random_ints(0));
  EXPECT_THAT(filled.problem->patch(1, 16, {}), IsEmpty());
  EXPECT_TRUE(filled.accepts(0));
}

}  // namespace
}  // namespace warpmark
