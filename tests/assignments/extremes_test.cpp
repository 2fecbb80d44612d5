// What the judge asks of extremes: the inputs, the right answer, and what is refused.
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark::extremes_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kValues = 0;
constexpr std::size_t kAnswer = 1;

template <class T>
struct Answer {
  T least;
  T greatest;
  std::uint64_t least_at;
  std::uint64_t greatest_at;
};

template <class T>
const char* name_of_type() {
  return std::is_same_v<T, float> ? "float" : "int";
}

template <class T>
FilledCase extremes(const std::string& data, std::uint64_t n, std::uint64_t seed = 0x5eed) {
  return {"extremes", {name_of_type<T>(), data, n, 0, seed}};
}

// One value after the other, as the contract says it.
template <class T>
Answer<T> answer_of(const FilledCase& filled) {
  using Limits = std::numeric_limits<T>;
  const auto values = filled.values<T>(kValues);
  const std::uint64_t none = values.size();
  Answer<T> answer{Limits::has_infinity ? Limits::infinity() : Limits::max(),
                   Limits::has_infinity ? -Limits::infinity() : Limits::min(), none, none};
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[i]) continue;
    if (answer.least_at == none || values[i] < answer.least) {
      answer.least = values[i];
      answer.least_at = i;
    }
    if (answer.greatest_at == none || values[i] > answer.greatest) {
      answer.greatest = values[i];
      answer.greatest_at = i;
    }
  }
  return answer;
}

template <class T>
bool accepts(const FilledCase& filled, const Answer<T>& answer) {
  return filled.accepts(kAnswer, std::vector{answer});
}

TEST(Extremes, knows_its_types_and_classes_of_data) {
  const auto assignment = assignment_called("extremes");
  EXPECT_THAT(assignment->data_classes("int"), ElementsAre("uniform", "one_sign", "ties"));
  EXPECT_THAT(assignment->data_classes("float"), ElementsAre("uniform", "one_sign", "ties", "nans"));
  EXPECT_THAT(assignment->data_classes("double"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("float"), 4U);
  EXPECT_EQ(assignment->value_bytes("double"), 0U);
}

TEST(Extremes, asks_for_the_buffers_that_its_contract_promises) {
  const FilledCase filled("extremes", {"int", "uniform", 1000, 1, 1});
  ASSERT_EQ(filled.specs.size(), 3U);
  EXPECT_EQ(filled.specs[kValues].bytes, 4000U);
  EXPECT_EQ(filled.specs[kValues].offset, 4U);
  EXPECT_EQ(filled.specs[kAnswer].bytes, sizeof(Answer<int>));
  EXPECT_GE(filled.specs[2].bytes, (1000 / 64 + 4096) * sizeof(Answer<int>));
}

template <class T>
void expect_one_answer_in_every_class(std::uint64_t n) {
  for (const std::string& data : assignment_called("extremes")->data_classes(name_of_type<T>())) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE(data + " " + std::to_string(n) + " " + std::to_string(seed));
      const auto filled = extremes<T>(data, n, seed);
      const Answer<T> right = answer_of<T>(filled);
      ASSERT_TRUE(accepts(filled, right));
      for (const auto& [least_off, greatest_off] : {std::pair{1, 0}, std::pair{0, 1}}) {
        Answer<T> wrong = right;
        wrong.least_at += static_cast<std::uint64_t>(least_off);
        wrong.greatest_at += static_cast<std::uint64_t>(greatest_off);
        EXPECT_FALSE(accepts(filled, wrong)) << "another position";
      }
      Answer<T> wrong = right;
      wrong.least = T{12345};
      EXPECT_FALSE(accepts(filled, wrong)) << "another least";
      wrong = right;
      wrong.greatest = T{12345};
      EXPECT_FALSE(accepts(filled, wrong)) << "another greatest";
    }
  }
}

TEST(Extremes, has_one_right_answer) {
  for (const std::uint64_t n : {0, 1, 2, 33, 1000}) {
    expect_one_answer_in_every_class<std::int32_t>(n);
    expect_one_answer_in_every_class<float>(n);
  }
}

TEST(Extremes, of_a_large_input_are_those_of_all_its_pieces) {
  const auto filled = extremes<std::int32_t>("uniform", (1 << 22) + 7, 3);
  EXPECT_TRUE(accepts(filled, answer_of<std::int32_t>(filled)));
}

TEST(Extremes, refuses_what_is_not_a_number) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const auto filled = extremes<float>("nans", 100, seed);
    Answer<float> wrong = answer_of<float>(filled);
    wrong.least = nan;
    EXPECT_FALSE(accepts(filled, wrong));
    wrong = answer_of<float>(filled);
    wrong.greatest = nan;
    EXPECT_FALSE(accepts(filled, wrong));
  }
}

TEST(Extremes, takes_either_zero_where_both_are_there) {
  // Values from -2 to 2: with two of them both are zeros, now and then.
  std::size_t seen = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const auto filled = extremes<float>("ties", 2, seed);
    const auto values = filled.values<float>(kValues);
    if (values[0] != 0 || values[1] != 0 || std::signbit(values[0]) == std::signbit(values[1])) continue;
    ++seen;
    EXPECT_TRUE(accepts<float>(filled, {0.0F, 0.0F, 0, 0}));
    EXPECT_TRUE(accepts<float>(filled, {-0.0F, -0.0F, 0, 0}));
    EXPECT_FALSE(accepts<float>(filled, {-0.0F, 0.0F, 1, 0})) << "the second zero";
    EXPECT_FALSE(accepts<float>(filled, {-0.0F, 0.0F, 0, 1})) << "the second zero";
  }
  EXPECT_GT(seen, 0U);
}

// So that neither 0 nor the largest number of the type is a beginning that always works.
TEST(Extremes, lie_on_either_side_of_zero) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto answer = answer_of<float>(extremes<float>(seed % 3 == 0 ? "uniform" : "one_sign", 1000, seed));
    seen.insert(answer.least > 0 ? "above" : answer.greatest < 0 ? "below" : "both");
    const auto of_ints =
        answer_of<std::int32_t>(extremes<std::int32_t>(seed % 3 == 0 ? "uniform" : "one_sign", 1000, seed));
    seen.insert(of_ints.least > 0 ? "ints above" : of_ints.greatest < 0 ? "ints below" : "both of ints");
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Extremes, has_special_values_of_every_kind) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const auto filled = extremes<float>("nans", 1000, seed);
    const auto values = filled.values<float>(kValues);
    const auto answer = answer_of<float>(filled);
    if (answer.least_at == 1000) seen.insert("nothing but NaN");
    if (answer.least_at < 1000 && answer.least == std::numeric_limits<float>::infinity()) seen.insert("+inf");
    if (answer.least_at < 1000 && answer.greatest == -std::numeric_limits<float>::infinity())
      seen.insert("-inf");
    if (answer.greatest > 0 && answer.greatest < std::numeric_limits<float>::min()) seen.insert("denormal");
    if (std::isnan(values.front()) && answer.least_at < 1000) seen.insert("NaN first");
    if (std::isnan(values.back()) && answer.least_at < 1000) seen.insert("NaN last");
  }
  EXPECT_EQ(seen.size(), 6U);
}

template <class T>
void expect_patches_to_keep_the_answer_right(const std::string& data, std::uint64_t n) {
  SCOPED_TRACE(data + " " + std::to_string(n));
  auto filled = extremes<T>(data, n);
  for (std::uint64_t round = 0; round < 30; ++round) {
    const auto before = answer_of<T>(filled);
    ASSERT_TRUE(filled.patch(round, 8)) << "the judge's copy is not what the device holds";
    ASSERT_TRUE(accepts(filled, answer_of<T>(filled))) << round;
    if (n < 1000 || data == "nans") continue;
    ASSERT_FALSE(accepts(filled, before)) << round << ": the answer before the patches is still accepted";
  }
}

TEST(Extremes, patches_keep_the_answer_right) {
  for (const std::uint64_t n : {1, 2, 5, 1000, 20'000}) {
    for (const char* data : {"uniform", "one_sign", "ties"}) {
      expect_patches_to_keep_the_answer_right<std::int32_t>(data, n);
      expect_patches_to_keep_the_answer_right<float>(data, n);
    }
    expect_patches_to_keep_the_answer_right<float>("nans", n);
  }
}

TEST(Extremes, patches_of_nothing_are_none) {
  const auto filled = extremes<std::int32_t>("uniform", 0);
  EXPECT_THAT(filled.problem->patch(1, 8, {}), IsEmpty());
}

TEST(Extremes, a_clone_is_patched_on_its_own) {
  const auto filled = extremes<std::int32_t>("uniform", 1000);
  const auto clone = filled.problem->clone();
  auto contents = filled.contents[kValues];
  ASSERT_FALSE(clone->patch(1, 8, contents).empty());
  const std::vector right{answer_of<std::int32_t>(filled)};
  EXPECT_TRUE(filled.accepts(kAnswer, right));
  EXPECT_TRUE(clone->check(kAnswer, std::as_bytes(std::span(right))));
}

TEST(Extremes, a_mismatch_tells_which_member_is_wrong) {
  const auto filled = extremes<std::int32_t>("uniform", 1000);
  auto wrong = answer_of<std::int32_t>(filled);
  wrong.greatest_at += 1;
  const auto mismatch = filled.check(kAnswer, std::vector{wrong});
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("extremes.greatest_at"));
  EXPECT_THAT(mismatch->what, HasSubstr("of equal values the first counts"));
  EXPECT_EQ(mismatch->expected, std::to_string(wrong.greatest_at - 1));
  EXPECT_EQ(mismatch->actual, std::to_string(wrong.greatest_at));
}

}  // namespace
}  // namespace warpmark::extremes_tests
