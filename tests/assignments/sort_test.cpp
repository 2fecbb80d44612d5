// What the judge asks of sorted pairs: the inputs, the one right order, and what is refused.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark::sort_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kKeys = 0;
constexpr std::size_t kValues = 1;
constexpr std::size_t kSortedKeys = 2;
constexpr std::size_t kSortedValues = 3;

FilledCase sort(const std::string& type, const std::string& data, std::uint64_t n,
                std::uint64_t seed = 0x5eed) {
  return {"sort", {type, data, n, 0, seed}};
}

template <class T>
struct Answer {
  std::vector<T> keys;
  std::vector<std::uint32_t> values;
};

// By the standard library, with NaN behind all.
template <class T>
Answer<T> answer_of(const FilledCase& filled) {
  const auto keys = filled.values<T>(kKeys);
  const auto values = filled.values<std::uint32_t>(kValues);
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool a_is_nan = keys[a] != keys[a];
    const bool b_is_nan = keys[b] != keys[b];
    return a_is_nan || b_is_nan ? !a_is_nan && b_is_nan : keys[a] < keys[b];
  });
  Answer<T> answer;
  for (const std::size_t i : order) {
    answer.keys.push_back(keys[i]);
    if (!values.empty()) answer.values.push_back(values[i]);  // else keys alone
  }
  return answer;
}

template <class T>
bool accepts(const FilledCase& filled, const Answer<T>& answer) {
  return filled.accepts(kSortedKeys, answer.keys) && filled.accepts(kSortedValues, answer.values);
}

TEST(Sort, knows_its_types_and_classes_of_data) {
  const auto assignment = assignment_called("sort");
  EXPECT_THAT(assignment->data_classes("int"),
              ElementsAre("uniform", "few", "ascending", "descending", "random_bits", "permutation"));
  EXPECT_THAT(assignment->data_classes("float"), ElementsAre("uniform", "few", "special", "random_bits"));
  EXPECT_THAT(assignment->data_classes("double"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("double"), 0U);
}

TEST(Sort, keys_alone_come_without_values) {
  const auto filled = sort("int", "random_bits", 1000);
  EXPECT_EQ(filled.specs[kKeys].bytes, 4000U);
  EXPECT_EQ(filled.specs[kValues].bytes, 0U);
  EXPECT_EQ(filled.specs[kSortedValues].bytes, 0U);
  auto keys = filled.values<std::int32_t>(kKeys);
  std::sort(keys.begin(), keys.end());
  EXPECT_TRUE(filled.accepts(kSortedKeys, keys));
  EXPECT_TRUE(filled.accepts(kSortedValues, std::vector<std::uint32_t>{}));
  std::swap(keys.front(), keys.back());
  EXPECT_FALSE(filled.accepts(kSortedKeys, keys));
}

TEST(Sort, asks_for_the_buffers_that_its_contract_promises) {
  const FilledCase filled("sort", {"int", "uniform", 1000, 31, 1});
  ASSERT_EQ(filled.specs.size(), 5U);
  for (std::size_t buffer = kKeys; buffer <= kSortedValues; ++buffer) {
    EXPECT_EQ(filled.specs[buffer].bytes, 4000U);
    EXPECT_EQ(filled.specs[buffer].offset, 4U);
    EXPECT_EQ(filled.specs[buffer].role, buffer < kSortedKeys ? Role::input : Role::output);
  }
  EXPECT_THAT(assignment_called("sort")->shifts(), ElementsAre(15U)) << "these four, together";
  EXPECT_GE(filled.specs[4].bytes, (3 * 1000 + 16384) * 8U);
  EXPECT_THAT(filled.problem->scalars(), ElementsAre(1000U));
}

template <class T>
void expect_one_answer(const std::string& type, std::uint64_t n) {
  for (const std::string& data : assignment_called("sort")->data_classes(type)) {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      SCOPED_TRACE(type + " " + data + " " + std::to_string(n) + " " + std::to_string(seed));
      const auto filled = sort(type, data, n, seed);
      const auto right = answer_of<T>(filled);
      EXPECT_TRUE(accepts(filled, right));
      if (n < 2) continue;
      auto wrong = right;
      if (!right.values.empty()) {
        // Two neighbours exchanged, with and without their values.
        std::swap(wrong.values[n / 2 - 1], wrong.values[n / 2]);
        EXPECT_FALSE(accepts(filled, wrong));
        wrong = right;
        wrong.values.back() ^= 1;
        EXPECT_FALSE(accepts(filled, wrong));
        wrong = right;
      }
      wrong.keys.front() = std::bit_cast<T>(std::bit_cast<std::uint32_t>(wrong.keys.front()) ^ 1U);
      EXPECT_FALSE(accepts(filled, wrong));
    }
  }
}

TEST(Sort, has_one_right_answer) {
  for (const std::uint64_t n : {0, 1, 2, 33, 1000, 20'011}) {
    expect_one_answer<std::int32_t>("int", n);
    expect_one_answer<float>("float", n);
  }
}

TEST(Sort, refuses_the_pairs_as_they_came) {
  const auto filled = sort("int", "uniform", 1000);
  EXPECT_FALSE(filled.accepts(kSortedKeys, filled.values<std::int32_t>(kKeys)));
  EXPECT_FALSE(filled.accepts(kSortedValues, filled.values<std::uint32_t>(kValues)));
}

TEST(Sort, tells_equal_keys_that_changed_their_order) {
  const auto filled = sort("int", "few", 1000);
  auto values = answer_of<std::int32_t>(filled).values;
  std::swap(values[0], values[1]);
  const auto mismatch = filled.check(kSortedValues, values);
  ASSERT_TRUE(mismatch);
  EXPECT_THAT(mismatch->what, HasSubstr("pairs of equal keys keep their order"));
  EXPECT_EQ(mismatch->actual, std::to_string(values[0]));
  EXPECT_EQ(mismatch->expected, std::to_string(values[1]));
  const auto descending = sort("int", "descending", 1000);
  values = answer_of<std::int32_t>(descending).values;
  values[0] ^= 1;
  const auto keys = descending.values<std::int32_t>(kKeys);
  const auto least = std::ranges::min_element(keys);
  EXPECT_THAT(descending.check(kSortedValues, values)->what,
              HasSubstr(fmt::format("its key {} came from keys[{}]", *least, least - keys.begin())));
}

TEST(Sort, wants_zeros_and_nans_with_all_of_their_bits) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto filled = sort("float", "special", 300, seed);
    const auto right = answer_of<float>(filled);
    for (std::size_t i = 0; i < right.keys.size(); ++i) {
      if (!std::isnan(right.keys[i]) && right.keys[i] != 0) continue;
      auto wrong = right.keys;
      wrong[i] = -wrong[i];
      EXPECT_FALSE(filled.accepts(kSortedKeys, wrong)) << i;
      seen.insert(std::string(std::isnan(wrong[i]) ? "NaN" : "zero") + (std::signbit(wrong[i]) ? "-" : "+"));
    }
    EXPECT_TRUE(std::isnan(right.keys.back()));
  }
  EXPECT_EQ(seen.size(), 4U);
}

TEST(Sort, has_keys_in_every_order) {
  const auto sorted = sort("int", "ascending", 1000).values<std::int32_t>(kKeys);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  const auto reversed = sort("int", "descending", 1000).values<std::int32_t>(kKeys);
  EXPECT_TRUE(std::is_sorted(reversed.rbegin(), reversed.rend()));
  std::set<std::size_t> different;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto few = sort("int", "few", 1000, seed).values<std::int32_t>(kKeys);
    different.insert(std::set<std::int32_t>(few.begin(), few.end()).size());
  }
  EXPECT_THAT(different, ElementsAre(1U, 2U, 3U, 4U));
  const auto random = sort("int", "uniform", 1000).values<std::int32_t>(kKeys);
  EXPECT_TRUE(std::ranges::any_of(random, [](std::int32_t key) { return key < 0; }));
  EXPECT_TRUE(std::ranges::any_of(random, [](std::int32_t key) { return key > 0; }));
}

template <class T>
void expect_patches_to_keep_the_answer_right(const std::string& type, const std::string& data) {
  SCOPED_TRACE(type + " " + data);
  for (const std::uint64_t n : {1, 2, 1000}) {
    auto filled = sort(type, data, n);
    std::size_t changed = 0;
    for (std::uint64_t round = 0; round < 30; ++round) {
      const auto before = answer_of<T>(filled);
      ASSERT_TRUE(filled.patch(round, 8)) << "the judge's copy is not what the device holds";
      const auto after = answer_of<T>(filled);
      ASSERT_TRUE(accepts(filled, after)) << n << " " << round;
      if (after.values == before.values) continue;
      ++changed;
      ASSERT_FALSE(accepts(filled, before)) << round << ": the answer before the patches";
    }
    if (n == 1000 && data == "uniform") {
      EXPECT_EQ(changed, 30U);
    }
  }
}

TEST(Sort, patches_keep_the_expected_order_right) {
  for (const char* data : {"uniform", "few", "ascending", "descending"})
    expect_patches_to_keep_the_answer_right<std::int32_t>("int", data);
  for (const char* data : {"uniform", "few", "special"})
    expect_patches_to_keep_the_answer_right<float>("float", data);
  EXPECT_THAT(sort("int", "uniform", 0).problem->patch(1, 8, {}), IsEmpty());
}

TEST(Sort, a_clone_is_patched_on_its_own) {
  const auto filled = sort("int", "uniform", 1000);
  const auto clone = filled.problem->clone();
  auto contents = filled.contents[kKeys];
  ASSERT_FALSE(clone->patch(1, 8, contents).empty());
  const auto right = answer_of<std::int32_t>(filled);
  EXPECT_TRUE(accepts(filled, right));
  EXPECT_TRUE(clone->check(kSortedKeys, std::as_bytes(std::span(right.keys))));
}

}  // namespace
}  // namespace warpmark::sort_tests
