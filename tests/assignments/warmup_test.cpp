#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignment_called.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

std::unique_ptr<Problem> warmup(const Case& which) {
  return assignment_called("warmup")->make(which);
}

template <class T>
struct Filled {
  explicit Filled(const Case& which) : problem(warmup(which)), values(which.n) {
    problem->fill(0, std::as_writable_bytes(std::span(values)));
    const std::uint64_t bits = problem->scalars().at(1);
    std::memcpy(&p, &bits, sizeof p);
    for (const T value : values) answer.push_back(plus_p(value));
  }
  [[nodiscard]] T plus_p(T value) const {
    if constexpr (std::is_same_v<T, float>) {
      return value + p;
    } else {
      return static_cast<T>(static_cast<std::uint32_t>(value) + static_cast<std::uint32_t>(p));
    }
  }
  [[nodiscard]] std::optional<Mismatch> check(const std::vector<T>& actual) const {
    return problem->check(0, std::as_bytes(std::span(actual)));
  }

  std::unique_ptr<Problem> problem;
  std::vector<T> values;
  std::vector<T> answer;
  T p = 0;
};

Case ints(std::uint64_t n) {
  return {"int", "uniform", n, 0, 0x5eed};
}
Case floats(std::uint64_t n) {
  return {"float", "uniform", n, 0, 0x5eed};
}

TEST(Assignments, of_the_tool_can_all_be_made) {
  const auto names = names_of_assignments();
  EXPECT_THAT(names, testing::IsSupersetOf({"reduction", "warmup"}));
  for (const std::string& name : names) EXPECT_NE(assignment_called(name), nullptr) << name;
}

TEST(Warmup, changes_its_one_buffer_in_place) {
  const auto buffers = warmup({"int", "uniform", 1000, 1, 7})->buffers();
  ASSERT_EQ(buffers.size(), 1U);
  EXPECT_EQ(buffers[0].role, Role::in_out);
  EXPECT_EQ(buffers[0].bytes, 4000U);
  EXPECT_EQ(buffers[0].offset, 4U);
}

TEST(Warmup, accepts_every_value_plus_p) {
  for (const std::uint64_t n : {0, 1, 33, 100'003}) {
    const Filled<std::int32_t> of_ints(ints(n));
    EXPECT_FALSE(of_ints.check(of_ints.answer)) << n;
    const Filled<float> of_floats(floats(n));
    EXPECT_FALSE(of_floats.check(of_floats.answer)) << n;
  }
}

TEST(Warmup, tells_the_first_value_that_is_wrong) {
  const Filled<std::int32_t> filled(ints(1000));
  auto actual = filled.answer;
  actual[17] ^= 1;
  actual[500] ^= 1;
  const auto mismatch = filled.check(actual);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->what, "values[17] is wrong: it is not what it held plus p");
  EXPECT_EQ(mismatch->expected, std::to_string(filled.answer[17]));
  EXPECT_EQ(mismatch->actual, std::to_string(actual[17]));
}

TEST(Warmup, sees_the_last_value) {
  const Filled<float> filled(floats(257));
  auto actual = filled.answer;
  actual.back() = std::nextafter(actual.back(), 1e9F);
  const auto mismatch = filled.check(actual);
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("values[256]"));
}

TEST(Warmup, tells_a_value_that_was_left_alone) {
  const Filled<float> filled(floats(100));
  auto actual = filled.answer;
  actual[3] = filled.values[3];
  ASSERT_TRUE(filled.check(actual));
  EXPECT_THAT(filled.check(actual)->what, HasSubstr("still holds"));
  actual[3] = 12345;
  ASSERT_TRUE(filled.check(actual));
  EXPECT_THAT(filled.check(actual)->what, testing::Not(HasSubstr("still holds")));
}

TEST(Warmup, refuses_what_is_not_a_number) {
  const Filled<float> filled(floats(100));
  auto actual = filled.answer;
  actual[99] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(filled.check(actual));
}

}  // namespace
}  // namespace warpmark
