// What the judge asks of the sums of segments: the offsets, the right sums, and what is refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark::segmented_tests {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kValues = 0;
constexpr std::size_t kOffsets = 1;
constexpr std::size_t kSums = 2;

constexpr std::array kClasses{"even_offsets", "skewed_offsets", "sparse_offsets"};
// Two of its segments can be empty at every number of values.
Size size_of(std::uint64_t n) {
  return Size({n, n / 8 + 3});
}

FilledCase segmented(const std::string& type, const std::string& data, const Size& size,
                     std::uint64_t seed = 0x5eed) {
  return {"segmented", type, data, size, seed};
}

// One value after the other.
template <class T>
std::vector<T> sums_of(const FilledCase& filled) {
  const auto values = filled.values<T>(kValues);
  const auto offsets = filled.values<std::uint32_t>(kOffsets);
  std::vector<T> sums;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    if constexpr (std::is_same_v<T, float>) {
      float sum = 0;
      for (std::size_t i = offsets[s]; i < offsets[s + 1]; ++i) sum += values[i];
      sums.push_back(sum);
    } else {
      std::uint32_t sum = 0;
      for (std::size_t i = offsets[s]; i < offsets[s + 1]; ++i) sum += static_cast<std::uint32_t>(values[i]);
      sums.push_back(static_cast<T>(sum));
    }
  }
  return sums;
}

TEST(Segmented, knows_its_types_and_classes_of_data) {
  const auto assignment = assignment_called("segmented");
  EXPECT_THAT(assignment->data_classes("int"), ElementsAreArray(kClasses));
  EXPECT_THAT(assignment->data_classes("float"), ElementsAreArray(kClasses));
  EXPECT_THAT(assignment->data_classes("char"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("char"), 0U);
}

TEST(Segmented, asks_for_the_buffers_that_its_contract_promises) {
  const auto filled = segmented("int", "even_offsets", Size({1000, 16}));
  ASSERT_EQ(filled.specs.size(), 4U);
  EXPECT_EQ(filled.specs[kValues].bytes, 4000U);
  EXPECT_EQ(filled.specs[kOffsets].bytes, 17 * 4U);
  EXPECT_EQ(filled.specs[kSums].bytes, 16 * 4U);
  EXPECT_THAT(filled.problem->scalars(), ElementsAre(1000U, 16U));
  EXPECT_GE(filled.specs[3].bytes, (1000 / 64 + 4096) * 4U);
}

TEST(Segmented, has_offsets_as_the_contract_says) {
  for (const char* data : kClasses) {
    for (const std::uint64_t n : {0, 1, 2, 33, 1000, 100'003}) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const auto offsets = segmented("int", data, size_of(n), seed).values<std::uint32_t>(kOffsets);
        ASSERT_FALSE(offsets.empty());
        EXPECT_EQ(offsets.front(), 0U);
        EXPECT_EQ(offsets.back(), n);
        EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
      }
    }
  }
}

TEST(Segmented, has_segments_of_every_kind) {
  constexpr std::uint64_t kN = 10'000;
  constexpr std::uint64_t kSegments = 400;
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const char* data : kClasses) {
      const auto offsets =
          segmented("int", data, Size({kN, kSegments}), seed).values<std::uint32_t>(kOffsets);
      if (offsets[1] == 0) seen.insert("first is empty");
      if (offsets[kSegments - 1] == kN) seen.insert("last is empty");
      std::vector<std::uint32_t> lengths;
      for (std::size_t s = 0; s < kSegments; ++s) lengths.push_back(offsets[s + 1] - offsets[s]);
      if (std::ranges::count(lengths, 0U) > 100) seen.insert("many empty");
      if (std::ranges::max(lengths) >= kN / 2 - kSegments) seen.insert("half in one");
      if (std::ranges::max(lengths) <= 2 * kN / kSegments + 10) seen.insert("even");
    }
  }
  EXPECT_EQ(seen.size(), 5U) << testing::PrintToString(seen);
}

// The rubric's sizes: no segment at all, none with values, and all values in one.
TEST(Segmented, is_graded_with_segments_of_every_number) {
  const auto rubric = judge::read_rubric(home_of("segmented"));
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_THAT(rubric->correct.sizes, testing::IsSupersetOf({Size({0, 0}), Size({0, 3}), Size({1025, 1})}));
}

template <class T>
void expect_one_answer(const std::string& type, std::uint64_t n) {
  for (const std::string& data : assignment_called("segmented")->data_classes(type)) {
    SCOPED_TRACE(type + " " + data + " " + std::to_string(n));
    const auto filled = segmented(type, data, size_of(n));
    const auto right = sums_of<T>(filled);
    EXPECT_TRUE(filled.accepts(kSums, right));
    for (const std::size_t s : {std::size_t{0}, right.size() / 2, right.size() - 1}) {
      if (right.empty()) break;
      auto wrong = right;
      wrong[s] += 1;
      EXPECT_FALSE(filled.accepts(kSums, wrong)) << s;
    }
  }
}

TEST(Segmented, has_one_right_answer) {
  for (const std::uint64_t n : {0, 1, 2, 33, 1000, 100'003}) {
    expect_one_answer<std::int32_t>("int", n);
    expect_one_answer<float>("float", n);
  }
}

// A neighbour's value that was added, too, or the last one left out.
TEST(Segmented, refuses_the_sums_of_other_segments) {
  for (const char* data : {"even_offsets", "skewed_offsets"}) {
    const auto filled = segmented("int", data, size_of(10'000));
    const auto values = filled.values<std::int32_t>(kValues);
    const auto offsets = filled.values<std::uint32_t>(kOffsets);
    for (const std::size_t s : {std::size_t{5}, offsets.size() / 2}) {
      auto wrong = sums_of<std::int32_t>(filled);
      wrong[s] = static_cast<std::int32_t>(static_cast<std::uint32_t>(wrong[s]) +
                                           static_cast<std::uint32_t>(values[offsets[s + 1]]));
      EXPECT_FALSE(filled.accepts(kSums, wrong));
    }
  }
}

TEST(Segmented, refuses_what_is_not_a_number) {
  for (const char* data : kClasses) {
    const auto filled = segmented("float", data, size_of(1000));
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      auto wrong = sums_of<float>(filled);
      wrong.back() = bad;
      EXPECT_FALSE(filled.accepts(kSums, wrong)) << data;
    }
  }
}

TEST(Segmented, allows_any_order_of_the_additions) {
  const auto filled = segmented("float", "sparse_offsets", Size({200'000, 1000}));
  const auto values = filled.values<float>(kValues);
  const auto offsets = filled.values<std::uint32_t>(kOffsets);
  std::vector<float> backwards;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    float sum = 0;
    for (std::size_t i = offsets[s + 1]; i > offsets[s]; --i) sum += values[i - 1];
    backwards.push_back(sum);
  }
  EXPECT_TRUE(filled.accepts(kSums, backwards));
  EXPECT_TRUE(filled.accepts(kSums, sums_of<float>(filled)));
  auto half = backwards;
  const auto longest = static_cast<std::size_t>(
      std::ranges::max_element(half, {}, [](float sum) { return std::abs(sum); }) - half.begin());
  half[longest] /= 2;
  EXPECT_FALSE(filled.accepts(kSums, half));
}

TEST(Segmented, keeps_exact_sums_below_the_limit) {
  for (const std::uint64_t n : {1000, 131'071, 1 << 20, 1 << 22}) {
    const auto values = segmented("float", "skewed_offsets", size_of(n)).values<float>(kValues);
    double magnitude = 0;
    for (const float value : values) magnitude += std::abs(static_cast<double>(value));
    EXPECT_LT(magnitude, 0x1p24) << n;
    EXPECT_GT(magnitude, static_cast<double>(n) / 8) << n;
  }
}

template <class T>
void expect_patches_to_keep_the_sums_right(const std::string& type, const std::string& data) {
  SCOPED_TRACE(type + " " + data);
  auto filled = segmented(type, data, size_of(1000));
  std::size_t changed = 0;
  for (std::uint64_t round = 0; round < 30; ++round) {
    const auto before = sums_of<T>(filled);
    ASSERT_TRUE(filled.patch(round, 8)) << "the judge's copy is not what the device holds";
    const auto after = sums_of<T>(filled);
    ASSERT_TRUE(filled.accepts(kSums, after)) << round;
    if (after == before) continue;
    ++changed;
    ASSERT_FALSE(filled.accepts(kSums, before)) << round << ": the sums before the patches";
  }
  EXPECT_GE(changed, 25U) << "patches must make yesterday's answer wrong";
}

TEST(Segmented, patches_keep_the_expected_sums_right) {
  for (const char* data : kClasses) expect_patches_to_keep_the_sums_right<std::int32_t>("int", data);
  for (const char* data : {"even_offsets", "skewed_offsets"})
    expect_patches_to_keep_the_sums_right<float>("float", data);
  EXPECT_THAT(segmented("int", "even_offsets", Size({0, 3})).problem->patch(1, 8, {}), IsEmpty());
}

TEST(Segmented, a_clone_is_patched_on_its_own) {
  const auto filled = segmented("int", "even_offsets", size_of(1000));
  const auto clone = filled.problem->clone();
  auto contents = filled.contents[kValues];
  ASSERT_FALSE(clone->patch(1, 8, contents).empty());
  const auto right = sums_of<std::int32_t>(filled);
  EXPECT_TRUE(filled.accepts(kSums, right));
  EXPECT_TRUE(clone->check(kSums, std::as_bytes(std::span(right))));
}

TEST(Segmented, a_mismatch_tells_the_segment) {
  const auto filled = segmented("int", "even_offsets", size_of(1000));
  auto wrong = sums_of<std::int32_t>(filled);
  wrong[7] ^= 1;
  const auto mismatch = filled.check(kSums, wrong);
  ASSERT_TRUE(mismatch);
  const auto offsets = filled.values<std::uint32_t>(kOffsets);
  EXPECT_THAT(mismatch->what, HasSubstr("sums[7] is wrong"));
  EXPECT_THAT(mismatch->what,
              HasSubstr("segment 7 of 128 has the values from values[" + std::to_string(offsets[7]) +
                        "] on, up to but not including values[" + std::to_string(offsets[8]) + "]"));
  EXPECT_EQ(mismatch->actual, std::to_string(wrong[7]));
  EXPECT_EQ(mismatch->expected, std::to_string(wrong[7] ^ 1));
}

}  // namespace
}  // namespace warpmark::segmented_tests
