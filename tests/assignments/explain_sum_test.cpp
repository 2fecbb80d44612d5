#include "harness/assignments/plain/explain_sum.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark {
namespace {

using testing::HasSubstr;
using Values = std::span<const std::int32_t>;
using Version = std::function<std::int32_t(Values, std::int32_t before)>;

// Calls a function of this process in place of a version.
class Calls final : public Experiment {
 public:
  explicit Calls(Version version) : version_(std::move(version)) {}

  std::optional<std::vector<std::byte>> answer(const Case& which, std::span<const std::byte> input,
                                               std::byte before) override {
    std::vector<std::int32_t> values(which.n);
    std::memcpy(values.data(), input.data(), input.size());
    std::int32_t held = 0;
    std::memset(&held, std::to_integer<int>(before), sizeof held);
    const std::int32_t sum = version_(values, held);
    const auto bytes = std::as_bytes(std::span(&sum, 1));
    return std::vector(bytes.begin(), bytes.end());
  }
  std::optional<Contents> call(const Case& /*which*/, const Problem& /*problem*/, const Contents& /*inputs*/,
                               std::byte /*before*/) override {
    return std::nullopt;
  }

 private:
  Version version_;
};

// Each value as often as `count` says of its index.
Version counting(std::function<std::int32_t(std::size_t)> count) {
  return [count = std::move(count)](Values values, std::int32_t /*before*/) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += count(i) * values[i];
    return sum;
  };
}

std::optional<Explanation> explained(Version version, std::uint64_t n) {
  Calls calls(std::move(version));
  return plain::explain_sum({.type = "int", .data = "random", .n = n, .shift = 0, .seed = 1}, calls);
}

TEST(ExplainSum, says_nothing_of_a_right_sum) {
  EXPECT_FALSE(explained(counting([](std::size_t) { return 1; }), 5000));
}

TEST(ExplainSum, names_the_values_behind_a_grid_that_is_too_small) {
  const auto found = explained(counting([](std::size_t i) { return i < 40960 ? 1 : 0; }), 49386);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what,
            "values[40960] to values[49385], the last 8426 of 49386 values, did not enter the sum");
  ASSERT_TRUE(found->elements);
  EXPECT_EQ(found->elements->first, 40960U);
  EXPECT_EQ(found->elements->last, 49385U);
  EXPECT_TRUE(found->elements->lost);
  ASSERT_EQ(found->counts.size(), 1U);
  EXPECT_EQ(found->counts[0].first, 40960U);
  EXPECT_EQ(found->counts[0].last, 49385U);
  EXPECT_EQ(found->counts[0].times, 0);
}

TEST(ExplainSum, goes_to_the_smallest_size_that_shows_it) {
  const auto found = explained(counting([](std::size_t i) { return i % 2 == 0 ? 1 : 0; }), 49386);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->which.n, 2U);
  EXPECT_THAT(found->what, HasSubstr("values[1], the last of 2 values, did not enter the sum"));
}

TEST(ExplainSum, tells_a_value_that_counts_twice) {
  const auto found = explained(counting([](std::size_t i) { return i == 256 ? 2 : 1; }), 3000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, "values[256], the last of 257 values, was counted twice");
  EXPECT_FALSE(found->elements->lost);
}

TEST(ExplainSum, tells_a_sum_that_does_not_begin_at_zero) {
  const auto found = explained(
      [](Values values, std::int32_t) {
        std::int32_t sum = 0x01010101;
        for (const std::int32_t value : values) sum += value;
        return sum;
      },
      100);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, HasSubstr("16843009 (0x1010101)"));
}

TEST(ExplainSum, tells_what_is_added_without_a_value) {
  const auto found = explained([](Values, std::int32_t) { return 0x01010101; }, 0);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, HasSubstr("without a value the sum is 16843009 (0x1010101)"));
  EXPECT_EQ(found->filled_with, 1);
  EXPECT_FALSE(explained([](Values, std::int32_t) { return 0; }, 0));
}

TEST(ExplainSum, names_each_run_of_values_that_count_equally) {
  const auto found = explained(counting([](std::size_t i) {
                                 return i < 40 ? 1 : i < 42 ? 2 : i >= 47 && i < 50 ? 0 : 1;
                               }),
                               5000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what,
            "values[40] to values[41] were counted twice; values[47] to values[49] did not enter the sum");
  EXPECT_EQ(found->elements->right, 39U);
}

TEST(ExplainSum, tells_a_sum_that_is_added_to_what_was_there) {
  const auto found = explained(
      [](Values values, std::int32_t before) {
        for (const std::int32_t value : values) before += value;
        return before;
      },
      100);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, HasSubstr("depends on what *sum held before"));
}

TEST(ExplainSum, tells_ints_that_went_through_a_float) {
  const auto found = explained(
      [](Values values, std::int32_t) {
        float sum = 0;
        for (const std::int32_t value : values) sum += static_cast<float>(value);
        return static_cast<std::int32_t>(sum);
      },
      100);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, HasSubstr("A float has 24 bits"));
}

}  // namespace
}  // namespace warpmark
