// What experiments say of right values that stand, or were taken, elsewhere.
#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/plain/told.h"

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<Size> kSizes{Size(8), Size(16), Size(32), Size(64)};

std::string with_scratch(const std::string& toml) {
  return toml + "[[buffer]]\nname = \"work\"\nrole = \"scratch\"\ntype = \"int\"\ncount = \"2 * n\"\n";
}

void sorted(const std::vector<int>& in, std::vector<int>& out, const Sizes& /*sizes*/) {
  out = in;
  std::ranges::sort(out);
}

// The rounds in which runs of eight numbers are merged.
Names merges(const Sizes& sizes) {
  Names names{"sort_eights"};
  for (std::size_t run = 8; run < sizes[0]; run *= 2) names.emplace_back("merge");
  return names;
}

// Right after an even number of rounds alone.
void from_the_first_half(const std::vector<int>& in, std::vector<int>& out, const Sizes& sizes) {
  sorted(in, out, sizes);
  if (std::ranges::count(merges(sizes), "merge") % 2 == 1) std::swap(out.front(), out.back());
}

TEST(ExplainPlaces, a_result_in_the_other_half_by_the_number_of_rounds) {
  const Told found = told(toml_of(R"(["n"])", "n", "n"), sorted, from_the_first_half, kSizes, {merges});
  EXPECT_EQ(found.mistake, "other_half") << found.what;
  EXPECT_THAT(found.what,
              HasSubstr("right after an even number of launches of merge and wrong after an odd one"));
}

TEST(ExplainPlaces, one_launch_for_small_sizes_and_two_for_large_ones_are_no_turns) {
  const Function wrong = [](const auto& in, auto& out, const auto& sizes) {
    sorted(in, out, sizes);
    if (sizes[0] < 32) std::swap(out.front(), out.back());
  };
  const auto kernels = [](const Sizes& sizes) { return Names(sizes[0] < 32 ? 1 : 2, "merge"); };
  EXPECT_NE(told(toml_of(R"(["n"])", "n", "n"), sorted, wrong, kSizes, {kernels}).mistake, "other_half");
}

TEST(ExplainPlaces, a_result_that_is_wrong_in_all_sizes_is_not_of_the_rounds) {
  const Function wrong = [](const auto& in, auto& out, const auto& sizes) {
    sorted(in, out, sizes);
    std::swap(out.front(), out.back());
  };
  EXPECT_NE(told(toml_of(R"(["n"])", "n", "n"), sorted, wrong, kSizes, {merges}).mistake, "other_half");
}

TEST(ExplainPlaces, a_result_in_the_other_half_by_what_that_holds) {
  const auto second_half = [](const std::vector<int>& in) {
    std::vector<int> words(2 * in.size(), 0);
    std::vector<int> of_out;
    sorted(in, of_out, {});
    std::ranges::copy(of_out, words.begin() + static_cast<std::ptrdiff_t>(in.size()));
    return words;
  };
  const auto positions = [](const std::vector<int>& in) {
    std::vector<int> words(2 * in.size(), 0);
    std::iota(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(in.size()), 0);
    std::ranges::stable_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(in.size()), {},
                             [&](int at) { return in[static_cast<std::size_t>(at)]; });
    return words;
  };
  const Function wrong = [](const auto& in, auto& out, const auto&) { out = in; };
  const std::string toml = with_scratch(toml_of(R"(["n"])", "n", "n"));
  const Told plain = told(toml, sorted, wrong, kSizes, {{}, second_half});
  EXPECT_EQ(plain.mistake, "other_half") << plain.what;
  EXPECT_THAT(plain.what, HasSubstr("out does not hold the result, but work does, from work[8] on"));
  const Told packed = told(toml, sorted, wrong, kSizes, {{}, positions});
  EXPECT_THAT(packed.what, HasSubstr("from work[0] on (as positions of the right numbers)"));
}

// The position of the greatest of few different values.
Function position(bool last) {
  return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    const auto few = [](int value) { return value; };
    std::size_t best = 0;
    for (std::size_t i = 1; i < in.size(); ++i) {
      if (few(in[i]) > few(in[best]) || (last && few(in[i]) == few(in[best]))) best = i;
    }
    out[0] = static_cast<int>(best);
  };
}

TEST(ExplainPlaces, the_position_of_an_equal_value) {
  std::string toml = toml_of(R"(["n"])", "n", "1");
  toml.replace(toml.find("low = -1000"), 11, "low = 0");
  toml.replace(toml.find("high = 1000"), 11, "high = 2");
  const Told found = told(toml, position(false), position(true), kSizes);
  EXPECT_EQ(found.mistake, "ties") << found.what;
  EXPECT_THAT(found.what,
              AllOf(HasSubstr("the value is right, and the position is that of the last equal one"),
                    HasSubstr("That of the first is expected")));
}

// The greatest number, and its position or that of the least.
Function greatest(bool mixed) {
  return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    const auto best = std::ranges::max_element(in);
    const auto worst = std::ranges::min_element(in);
    out = {*best, static_cast<int>((mixed ? worst : best) - in.begin())};
  };
}

TEST(ExplainPlaces, the_position_of_another_value_beside_a_right_one) {
  std::string toml = toml_of(R"(["n"])", "n", "1");
  toml.replace(toml.rfind("\"int\""), 5, "\"Best\"");
  toml +=
      "[[struct]]\nname = \"Best\"\nmembers = [{name = \"most\", type = \"int\"}, {name = \"most_at\", type "
      "= "
      "\"int\"}]\n";
  const Told found = told(toml, greatest(false), greatest(true), kSizes);
  EXPECT_EQ(found.mistake, "mixed_members") << found.what;
  EXPECT_THAT(found.what, AllOf(HasSubstr("out.most is right"),
                                HasSubstr("the position does not belong to the value beside it")));
}

TEST(ExplainPlaces, columns_that_are_stored_by_another_index) {
  // A row of four columns per thread, computed side by side and stored apart.
  const auto product = [](bool apart) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes& sizes) {
      const std::size_t columns = sizes[1];
      for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t column = i % columns;
        const std::size_t to = column % 4 * (columns / 4) + column / 4;
        out[apart && columns % 4 == 0 ? i - column + to : i] = 2 * in[i];
      }
    };
  };
  const Told found = told(toml_of(R"(["rows", "columns"])", "rows * columns", "rows * columns"),
                          product(false), product(true), {Size({3, 16})});
  EXPECT_EQ(found.mistake, "permuted") << found.what;
  EXPECT_THAT(found.what, HasSubstr("out(0, 1) holds what was computed for out(0, 4), and so in each row"));
}

}  // namespace
}  // namespace warpmark::plain
