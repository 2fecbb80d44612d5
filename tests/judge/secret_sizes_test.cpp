// The secret sizes of assignments with one or several sizes, and the rubrics that ask for them.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/rules/plan.h"
#include "harness/judge/rules/rubric.h"
#include "tests/judge/secret.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

// An assignment in the plain form with the sizes n and m; %SECRET% is in its [correct].
constexpr std::string_view kTwoSizes = R"toml(title = "Sums of rows"
contract = "rows.h"
call = "version(a, n, m, b, stream)"
sizes = ["n", "m"]
[[buffer]]
name = "a"
role = "input"
type = "float"
count = "n * m"
[[buffer]]
name = "b"
role = "output"
type = "float"
count = "n"
[points]
builds = 1
[correct]
sizes = [[0, 1], [33, 7]]
%SECRET%
[[version]]
name = "v"
checks = ["builds"]
)toml";

std::string text_with(const std::string& secret) {
  std::string text(kTwoSizes);
  return text.replace(text.find("%SECRET%"), std::string_view("%SECRET%").size(), secret);
}
Rubric rubric_with(const std::string& secret) {
  auto rubric = parse_rubric(text_with(secret), "/course/rows/assignment.toml", "rows");
  if (!rubric) throw std::runtime_error(rubric.error().message);
  rubric->home = {.name = "rows", .folder = "/course/rows"};
  return std::move(*rubric);
}
std::string error_of(const std::string& secret) {
  const auto rubric = parse_rubric(text_with(secret), "/course/rows/assignment.toml", "rows");
  return rubric ? "no error" : rubric.error().message;
}
std::string fault_of(const std::string& secret) {
  try {
    secret_sizes(rubric_with(secret), 1);
  } catch (const AssignmentFault& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(SecretSizes, of_several_numbers_lie_within_the_bounds_of_each) {
  const Rubric rubric = rubric_with("secret = {count = 5, n = [10, 20], m = [0, 3]}");
  std::set<std::uint64_t> all_n;
  std::set<std::uint64_t> all_m;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto sizes = secret_sizes(rubric, seed);
    ASSERT_THAT(sizes, SizeIs(5));
    for (const Size& size : sizes) {
      ASSERT_THAT(size.parts, SizeIs(2));
      all_n.insert(size.parts[0]);
      all_m.insert(size.parts[1]);
    }
  }
  EXPECT_EQ(*all_n.begin(), 10U);
  EXPECT_EQ(*all_n.rbegin(), 20U);
  EXPECT_THAT(all_n, SizeIs(11)) << "all of them occur";
  EXPECT_EQ(all_m, (std::set<std::uint64_t>{0, 1, 2, 3}));
}

TEST(SecretSizes, have_an_end) {
  EXPECT_EQ(error_of("secret = {count = 1000, n = [1, 9], m = [1, 9]}"), "no error");
  EXPECT_THAT(error_of("secret = {count = 1000000000, n = [1, 9], m = [1, 9]}"),
              AllOf(HasSubstr("/course/rows/assignment.toml:"),
                    HasSubstr("correct.secret.count must be at most 1000")));
}

TEST(SecretSizes, may_depend_on_the_sizes_before_them) {
  const Rubric rubric = rubric_with(R"(secret = {count = 4, n = [1, 50], m = ["n", "2 * n"]})");
  std::set<std::uint64_t> differences;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Size& size : secret_sizes(rubric, seed)) {
      ASSERT_GE(size.parts[1], size.parts[0]);
      ASSERT_LE(size.parts[1], 2 * size.parts[0]);
      differences.insert(size.parts[1] - size.parts[0]);
    }
  }
  EXPECT_GT(differences.size(), 20U);
}

TEST(SecretSizes, keep_the_condition_of_where) {
  const Rubric rubric =
      rubric_with(R"(secret = {count = 6, n = [1, 100], m = [1, 100], where = "n % 32 == 0 && m < n"})");
  std::set<std::uint64_t> all_n;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto sizes = secret_sizes(rubric, seed);
    ASSERT_THAT(sizes, SizeIs(6));
    for (const Size& size : sizes) {
      ASSERT_EQ(size.parts[0] % 32, 0U);
      ASSERT_LT(size.parts[1], size.parts[0]);
      all_n.insert(size.parts[0]);
    }
  }
  EXPECT_EQ(all_n, (std::set<std::uint64_t>{32, 64, 96}));
}

TEST(SecretSizes, are_those_of_the_seed) {
  const Rubric rubric =
      rubric_with(R"(secret = {count = 4, n = [1, 100000], m = [1, 100000], where = "n != m"})");
  const auto sizes = secret_sizes(rubric, 7);
  EXPECT_EQ(sizes, secret_sizes(rubric, 7));
  EXPECT_NE(sizes, secret_sizes(rubric, 8));
  EXPECT_THAT(std::set(sizes.begin(), sizes.end()), SizeIs(4)) << "they differ from each other";
  for (const Size& size : sizes)
    EXPECT_NE(size.parts[0], size.parts[1]) << "the numbers of a size are drawn on their own";
}

TEST(SecretSizes, of_one_number_reach_beyond_the_range_once) {
  Rubric rubric;
  rubric.correct.sizes = {0, 1000};
  rubric.correct.secret = secret_below(3, 50);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto sizes = secret_sizes(rubric, seed);
    ASSERT_THAT(sizes, SizeIs(3));
    EXPECT_LE(sizes[0], Size(50));
    EXPECT_LE(sizes[1], Size(50));
    EXPECT_GT(sizes[2], Size(50));
    EXPECT_LE(sizes[2], Size(1000));
  }
}

TEST(SecretSizes, are_none_without_a_table) {
  EXPECT_TRUE(secret_sizes(rubric_with(""), 1).empty());
  EXPECT_TRUE(secret_sizes(rubric_with("secret = {count = 0, n = [1, 2], m = [1, 2]}"), 1).empty());
}

TEST(SecretSizes, that_the_ranges_do_not_allow_are_the_assignments_fault) {
  const auto place = HasSubstr("/course/rows/assignment.toml: correct.secret: ");
  EXPECT_THAT(fault_of("secret = {count = 1, n = [5, 4], m = [1, 2]}"),
              AllOf(place, HasSubstr("n would lie between 5 and 4")));
  EXPECT_THAT(fault_of(R"(secret = {count = 1, n = [5, 5], m = ["n", 4]})"),
              AllOf(place, HasSubstr("m would lie between 5 and 4")));
  EXPECT_THAT(fault_of("secret = {count = 1, n = [-1, 4], m = [1, 2]}"),
              AllOf(place, HasSubstr("n would lie between -1 and 4")));
  EXPECT_THAT(fault_of(R"(secret = {count = 1, n = [0, 0], m = [1, "4 / n"]})"),
              AllOf(place, HasSubstr("\"4 / n\": it divides by 0")));
  EXPECT_THAT(fault_of(R"(secret = {count = 1, n = [1, 9], m = [1, 9], where = "n > 9"})"),
              AllOf(place, HasSubstr("no size with n > 9 was found"), HasSubstr("widen the ranges")));
  EXPECT_THAT(fault_of(R"(secret = {count = 1, n = [1, 9], m = [0, 0], where = "n / m"})"),
              AllOf(place, HasSubstr("divides by 0")));
}

TEST(SecretSizes, that_are_written_wrongly_are_refused_with_their_line) {
  const auto at_line = [](int line) {
    return testing::StartsWith("/course/rows/assignment.toml:" + std::to_string(line) + ": ");
  };
  const int line = 19;
  EXPECT_THAT(error_of("secret = 4"), AllOf(at_line(line), HasSubstr("correct.secret must be a table")));
  EXPECT_THAT(error_of("secret = {n = [1, 2], m = [1, 2]}"),
              AllOf(at_line(line), HasSubstr("correct.secret.count is missing")));
  EXPECT_THAT(error_of("secret = {count = 1, n = [1, 2]}"),
              AllOf(at_line(line), HasSubstr("correct.secret.m is missing")));
  EXPECT_THAT(error_of("secret = {count = 1, n = [1], m = [1, 2]}"),
              AllOf(at_line(line), HasSubstr("correct.secret.n must be a list of two")));
  EXPECT_THAT(error_of("secret = {count = 1, n = 9, m = [1, 2]}"),
              AllOf(at_line(line), HasSubstr("correct.secret.n must be a list")));
  EXPECT_THAT(error_of("secret = {count = 1, n = [1, 2.5], m = [1, 2]}"),
              AllOf(at_line(line), HasSubstr("correct.secret.n must be a whole number or an expression")));
  EXPECT_THAT(error_of(R"(secret = {count = 1, n = [1, "m"], m = [1, 2]})"),
              AllOf(at_line(line), HasSubstr("correct.secret.n uses m"), HasSubstr("this is the first")));
  EXPECT_THAT(error_of(R"(secret = {count = 1, n = [1, 2], m = [1, "k"]})"),
              AllOf(at_line(line), HasSubstr("correct.secret.m uses k"), HasSubstr("sizes before it: n")));
  EXPECT_THAT(error_of(R"(secret = {count = 1, n = [1, "2 +"], m = [1, 2]})"),
              AllOf(at_line(line), HasSubstr("correct.secret.n: \"2 +\": ")));
  EXPECT_THAT(error_of(R"(secret = {count = 1, n = [1, 2], m = [1, 2], where = "n < k"})"),
              AllOf(at_line(line), HasSubstr("correct.secret.where uses k")));
  EXPECT_THAT(error_of("secret = {count = 1, n = [1, 2], m = [1, 2], k = [1, 2]}"),
              AllOf(at_line(line), HasSubstr("correct.secret.k is not known")));
  EXPECT_THAT(error_of("secret_sizes = 3"),
              HasSubstr("correct.secret_sizes is for one size; write secret = {count = 4, ...}"));
}

TEST(SizesOfSeveralNumbers, are_read_in_order_and_refused_with_their_line) {
  const Rubric rubric = rubric_with("");
  EXPECT_THAT(rubric.correct.sizes, testing::ElementsAre(Size(std::vector<std::uint64_t>{0, 1}),
                                                         Size(std::vector<std::uint64_t>{33, 7})));
  const auto error_with = [](const std::string& sizes) {
    std::string text = text_with("");
    text.replace(text.find("[[0, 1], [33, 7]]"), std::string_view("[[0, 1], [33, 7]]").size(), sizes);
    const auto read = parse_rubric(text, "a.toml", "rows");
    return read ? "no error" : read.error().message;
  };
  EXPECT_EQ(error_with("[33, 7]"),
            "a.toml:18: correct.sizes must be a list of 2 numbers, in the order of `sizes`");
  EXPECT_EQ(error_with("[[33, 7, 1]]"), "a.toml:18: correct.sizes has 3 numbers; `sizes` names 2");
  EXPECT_EQ(error_with("[[33]]"), "a.toml:18: correct.sizes has 1 numbers; `sizes` names 2");
  EXPECT_EQ(error_with("[[33, -7]]"), "a.toml:18: correct.sizes must be a whole number, 0 or more");
  EXPECT_EQ(error_with("[]"), "a.toml:17: correct.sizes must name at least one size");
}

}  // namespace
}  // namespace warpmark::judge
