// What experiments say of wrong outputs: each function makes one mistake, in this process.
#include "harness/assignments/plain/explain.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/plain/told.h"

namespace warpmark::plain {
namespace {

using testing::HasSubstr;
// An output of as many numbers as the input.
Told told_of_a_row(const Function& wrong, const Function& right) {
  std::vector<Size> sizes;
  for (const std::uint64_t n : {1, 2, 3, 31, 32, 33, 255, 256, 257, 513, 1025}) sizes.emplace_back(n);
  return told(toml_of(R"(["n"])", "n", "n"), right, wrong, std::move(sizes));
}
void doubled(const std::vector<int>& in, std::vector<int>& out, const Sizes& /*sizes*/) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
}
// The right function with another index of the input, and other places of the output left out.
Function with(std::function<std::size_t(std::size_t, std::size_t)> index,
              std::function<bool(std::size_t, std::size_t)> skipped = {}) {
  return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (!skipped || !skipped(i, in.size())) out[i] = 2 * in[index(i, in.size())];
    }
  };
}
std::size_t same(std::size_t i, std::size_t /*n*/) {
  return i;
}

TEST(Explain, where_numbers_of_an_output_are_not_written) {
  const std::map<std::string, std::function<bool(std::size_t, std::size_t)>> places{
      {"tail", [](auto i, auto n) { return i + 1 == n; }},
      {"head", [](auto i, auto) { return i < 2; }},
      {"block_edge", [](auto i, auto) { return i % 256 == 255; }},
      {"warp_edge", [](auto i, auto) { return i % 32 == 0 && i > 0; }},
      {"stride", [](auto i, auto) { return i % 3 == 1; }}};
  for (const auto& [mistake, skipped] : places) {
    const Told found = told_of_a_row(with(same, skipped), doubled);
    EXPECT_EQ(found.mistake, mistake) << found.what;
    EXPECT_THAT(found.what, HasSubstr("never written"));
  }
}

TEST(Explain, which_input_stands_in_for_another) {
  const Told shifted = told_of_a_row(with([](auto i, auto) { return i == 0 ? 0 : i - 1; }), doubled);
  EXPECT_EQ(shifted.mistake, "shifted") << shifted.what;
  EXPECT_THAT(shifted.what, HasSubstr("it uses in[0] and should use in[1]"));
  const Told reversed = told_of_a_row(with([](auto i, auto n) { return n - 1 - i; }), doubled);
  EXPECT_EQ(reversed.mistake, "reversed") << reversed.what;
  const Told first = told_of_a_row(with([](auto, auto) { return 0; }), doubled);
  EXPECT_EQ(first.mistake, "one_for_all") << first.what;
  EXPECT_THAT(first.what, HasSubstr("out[1] uses in[0] and should use in[1]"));
}

TEST(Explain, lists_what_each_wrong_output_uses) {
  const Function uses_the_next = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] + in[(i + 1) % in.size()];
  };
  const Function right = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] + in[(i + 2) % in.size()];
  };
  const auto found = explained(toml_of(R"(["n"])", "n", "n"), right, uses_the_next, {Size(4), Size(5)});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->inputs, testing::ElementsAre("in[0]", "in[1]", "in[2]", "in[3]", "in[4]"));
  ASSERT_EQ(found->uses.size(), 5U);
  EXPECT_EQ(found->uses[0].output, "out[0]");
  EXPECT_EQ(found->uses[0].of_inputs, "=+-..");
  EXPECT_EQ(found->uses[4].of_inputs, "+-..=");
}

TEST(Explain, other_values_of_the_right_inputs) {
  const auto made = [](auto each) {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = each(in[i], out[i]);
    };
  };
  EXPECT_EQ(told_of_a_row(made([](int in, int) { return 2 * in + 3; }), doubled).mistake, "constant");
  EXPECT_EQ(told_of_a_row(made([](int in, int) { return -2 * in; }), doubled).mistake, "wrong_sign");
  EXPECT_EQ(told_of_a_row(made([](int in, int) { return in * in; }), doubled).mistake, "wrong_operator");
  EXPECT_EQ(told_of_a_row(made([](int, int) { return 7; }), doubled).mistake, "ignores_inputs");
  EXPECT_EQ(
      told_of_a_row(made([](int in, int) { return static_cast<signed char>(2 * in); }), doubled).mistake,
      "integer_width");
  EXPECT_EQ(told_of_a_row(made([](int in, int out) { return out + 2 * in; }), doubled).mistake,
            "initial_value");
}

TEST(Explain, a_row_taken_for_a_column) {
  const auto transpose = [](bool right) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes& sizes) {
      const std::size_t rows = sizes[0];
      const std::size_t columns = sizes[1];
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column)
          out[right ? column * rows + row : row * columns + column] = in[row * columns + column];
      }
    };
  };
  std::vector<Size> sizes;
  for (const auto& [rows, columns] : {std::pair(1, 1), {1, 3}, {2, 3}, {5, 3}, {17, 33}})
    sizes.emplace_back(
        std::vector<std::uint64_t>{static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
  const Told found = told(toml_of(R"(["rows", "columns"])", "rows * columns", "columns * rows"),
                          transpose(true), transpose(false), sizes);
  EXPECT_EQ(found.mistake, "swapped_indices") << found.what;
  EXPECT_THAT(found.what, HasSubstr("out(0, 1) holds the value of"));
}

TEST(Explain, a_sum_that_lacks_a_value_or_counts_it_often) {
  const auto sum = [](std::function<int(std::size_t, std::size_t)> times) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
      out[0] = 0;
      for (std::size_t i = 0; i < in.size(); ++i) out[0] += times(i, in.size()) * in[i];
    };
  };
  const Function right = sum([](auto, auto) { return 1; });
  const auto told_of_a_sum = [&](const Function& wrong) {
    std::vector<Size> sizes;
    for (const std::uint64_t n : {1, 2, 3, 33, 257, 1025}) sizes.emplace_back(n);
    return told(toml_of(R"(["n"])", "n", "1"), right, wrong, std::move(sizes));
  };
  const Told lost = told_of_a_sum(sum([](auto i, auto n) { return i + 1 == n ? 0 : 1; }));
  EXPECT_EQ(lost.mistake, "lost") << lost.what;
  EXPECT_THAT(lost.what, HasSubstr("lacks in[32], the last of 33 numbers of in"));
  const Told twice = told_of_a_sum(sum([](auto i, auto) { return i == 256 ? 2 : 1; }));
  EXPECT_EQ(twice.mistake, "doubled") << twice.what;
  EXPECT_THAT(twice.what, HasSubstr("counts in[256]"));
  const Told more = told_of_a_sum([&](const auto& in, auto& out, const auto& sizes) {
    right(in, out, sizes);
    out[0] += 5;
  });
  EXPECT_EQ(more.mistake, "initial_value") << more.what;
  EXPECT_THAT(more.what, HasSubstr("too large by 5"));
}

TEST(Explain, right_numbers_in_the_wrong_order) {
  const auto sorted = [](auto less) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
      out = in;
      std::ranges::stable_sort(out, less);
    };
  };
  const auto unsigned_less = [](int a, int b) { return static_cast<unsigned>(a) < static_cast<unsigned>(b); };
  const Function copy = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) { out = in; };
  const Function backwards = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    out.assign(in.rbegin(), in.rend());
  };
  const Function in_parts = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    out = in;
    for (std::size_t i = 0; i < out.size(); i += 32)
      std::sort(out.begin() + static_cast<std::ptrdiff_t>(i),
                out.begin() + static_cast<std::ptrdiff_t>(std::min(i + 32, out.size())));
  };
  const Function in_uneven_parts = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    out = in;
    const auto third = out.begin() + static_cast<std::ptrdiff_t>(out.size() / 3);
    const auto behind = out.end() - static_cast<std::ptrdiff_t>(out.size() / 4);
    std::sort(out.begin(), third);
    std::sort(third, behind);
    std::sort(behind, out.end());
  };
  for (const auto& [wrong, order] : std::vector<std::pair<Function, std::string>>{
           {copy, "that of in: nothing was moved"},
           {backwards, "that of in backwards"},
           {in_parts, "sorted in parts of 32"},
           {sorted(std::greater()), "descending for ascending"},
           {sorted(unsigned_less), "without a sign, so that negative ones come last"},
           {sorted([](int a, int b) { return std::abs(a) < std::abs(b); }), "by their magnitude"},
           {sorted([](int a, int b) { return (a & 255) < (b & 255); }), "by their lowest 8 bits alone"},
           {sorted([](int a, int b) { return a >> 8 < b >> 8; }), "by all but their lowest 8 bits"},
           {in_uneven_parts, ", from out["},
           {sorted([](int a, int b) { return a % 17 < b % 17; }), ", from out["}}) {
    const Told found = told_of_a_row(wrong, sorted(std::less<>()));
    EXPECT_EQ(found.mistake, "wrong_order") << found.what;
    EXPECT_THAT(found.what, HasSubstr(order));
  }
}

// One number from all inputs.
Told told_of_one(const Function& wrong, const Function& right, std::vector<Size> sizes,
                 std::string_view out = "1") {
  return told(toml_of(R"(["n"])", "n", out), right, wrong, std::move(sizes));
}
Function summed(std::function<int(std::size_t)> times) {
  return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    unsigned sum = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
      sum += static_cast<unsigned>(times(i)) * static_cast<unsigned>(in[i]);
    out[0] = static_cast<int>(sum);
  };
}
const Function kSum = summed([](std::size_t) { return 1; });

TEST(Explain, runs_of_lost_and_doubled_inputs_to_their_last_one) {
  const Told lost = told_of_one(summed([](std::size_t i) { return i < 1000 ? 1 : 0; }), kSum, {Size(3000)});
  EXPECT_THAT(lost.what, HasSubstr("lacks in[1000] to in[2999], the last 2000 of 3000 numbers of in"));
  const Told both = told_of_one(summed([](std::size_t i) { return i < 256 ? 2 : 0; }), kSum, {Size(257)});
  EXPECT_THAT(both.what,
              HasSubstr("lacks in[256], the last of 257 numbers of in, and counts in[0] to in[255], the "
                        "first 256 of 257 numbers of in, twice"));
  const Told often = told_of_one(summed([](std::size_t i) { return i == 40 ? 300 : 1; }), kSum, {Size(257)});
  EXPECT_THAT(often.what, HasSubstr("counts in[40], one of 257 numbers of in, 300 times"))
      << "although the product wraps around";
}

TEST(Explain, a_number_with_which_a_computation_begins) {
  const Function none = [](const std::vector<int>&, std::vector<int>& out, const Sizes&) { out[0] = 0; };
  const Told found = told_of_one(none, kSum, {Size(31), Size(32), Size(33)});
  EXPECT_EQ(found.mistake, "initial_value") << found.what;
  EXPECT_THAT(found.what, HasSubstr("is 0 for each of the 3 inputs for which it is wrong"));
}

TEST(Explain, a_beginning_that_is_not_neutral) {
  // The least and the greatest, from a value on.
  const auto extremes = [](int least, int greatest) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
      out[0] = std::min(least, *std::ranges::min_element(in));
      out[1] = std::max(greatest, *std::ranges::max_element(in));
    };
  };
  const Function right = extremes(5000, -5000);
  const std::vector<Size> sizes{Size(1), Size(2), Size(8), Size(33)};
  const Told zero = told_of_one(extremes(0, 0), right, sizes, "2");
  EXPECT_EQ(zero.mistake, "initial_value") << zero.what;
  EXPECT_THAT(zero.what, HasSubstr("is 0, which is none of the values; with the other sign for all values it "
                                   "is right"));
  EXPECT_THAT(zero.what, HasSubstr("than all values here"));
}

TEST(Explain, an_output_that_only_all_inputs_together_change_is_not_said_to_ignore_them) {
  const Function right = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    out[0] = *std::ranges::max_element(in);
  };
  // No single input decides whether two are above 1; with the other sign, as far as the contract allows, none
  // is.
  const Function wrong = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    out[0] = std::ranges::count_if(in, [](int value) { return value > 1; }) >= 2 ? 2000 : 2001;
  };
  std::string toml = toml_of(R"(["n"])", "n", "1");
  toml.replace(toml.find("low = -1000"), 11, "low = 1");
  const Told found = told(toml, right, wrong, {Size(31)});
  EXPECT_THAT(found.what, testing::Not(HasSubstr("whatever the inputs are"))) << found.mistake;
}

TEST(Explain, an_index_that_counts_from_the_beginning_of_its_block) {
  const auto place = [](std::size_t block) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
      const auto greatest = std::ranges::max_element(in) - in.begin();
      out[0] = static_cast<int>(static_cast<std::size_t>(greatest) % block);
    };
  };
  std::vector<Size> sizes;
  for (std::uint64_t n = 33; n < 300; n += 8) sizes.emplace_back(n);
  const Told found = told_of_one(place(32), place(1000), sizes);
  EXPECT_EQ(found.mistake, "wrong_index") << found.what;
  EXPECT_THAT(found.what, HasSubstr("counts from the beginning of its block or tile of 32"));
}

TEST(Explain, an_output_that_holds_what_another_should) {
  const auto extremes = [](bool copied) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
      out[0] = *std::ranges::min_element(in);
      out[1] = copied ? out[0] : *std::ranges::max_element(in);
    };
  };
  const Told found =
      told_of_one(extremes(true), extremes(false), {Size(2), Size(8), Size(33), Size(1025)}, "2");
  EXPECT_EQ(found.mistake, "wrong_buffer") << found.what;
  EXPECT_THAT(found.what, HasSubstr("out[1] holds what out[0] should hold"));
}

TEST(Explain, what_is_right_without_negative_inputs) {
  const Function right = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] >> 1;
  };
  const Function logical = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<int>(static_cast<unsigned>(in[i]) >> 1U);
  };
  const Told found = told_of_a_row(logical, right);
  EXPECT_EQ(found.mistake, "signedness") << found.what;
}

// An output of reals, as many as the input has: `each` makes one from an input. Data in quarters and halves.
std::optional<Explanation> explained_of_reals(const std::function<float(float)>& each,
                                              const std::function<float(float)>& right) {
  std::string toml = toml_of(R"(["n"])", "n", "n");
  for (std::size_t at = toml.find("\"int\""); at != std::string::npos; at = toml.find("\"int\""))
    toml.replace(at, 5, "\"float\"");
  const auto on_reals = [](const std::function<float(float)>& made) -> Function {
    return [=](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
      for (std::size_t i = 0; i < in.size(); ++i)
        out[i] = std::bit_cast<int>(made(std::bit_cast<float>(in[i])));
    };
  };
  return explained(toml, on_reals(right), on_reals(each), {Size(7), Size(9), Size(33)});
}

TEST(Explain, types_in_which_fractions_are_lost) {
  const auto twice = [](float value) { return 2 * value; };
  const auto found = explained_of_reals([](float value) { return 2 * std::trunc(value); }, twice);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->mistake, "precision") << found->what;
  EXPECT_THAT(found->what, HasSubstr("is right where all inputs are whole numbers"));
  EXPECT_THAT(found->types, testing::ElementsAre("int", "float")) << "the source is searched for them";
  EXPECT_FALSE(explained_of_reals(twice, twice));
}

TEST(Explain, types_that_are_too_narrow) {
  const Function narrow = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<signed char>(2 * in[i]);
  };
  const auto found = explained(toml_of(R"(["n"])", "n", "n"), doubled, narrow, {Size(33), Size(65)});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->types, testing::ElementsAre("char", "int8_t", "uint8_t"));
}

TEST(Explain, outputs_that_were_stored_and_changed_nothing) {
  std::string toml = toml_of(R"(["n"])", "n", "n");
  toml.replace(toml.find("role = \"output\""), 15, "role = \"in_out\"\ndata = [\"uniform\"]");
  const Function right = [](const std::vector<int>& in, std::vector<int>& out, const Sizes&) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] += 2 * in[i] + 1;
  };
  const Function unchanged = [](const std::vector<int>&, std::vector<int>&, const Sizes&) {};
  const auto found = explained(toml, right, unchanged, {Size(7), Size(33)});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, HasSubstr("never written: they still hold what they held before the call"));
  EXPECT_THAT(found->what_if_stored, HasSubstr("although stored to"));
  EXPECT_TRUE(found->left) << "the bytes of which a store is looked for";
}

TEST(Explain, nothing_of_right_outputs) {
  EXPECT_EQ(told_of_a_row(doubled, doubled).mistake, "");
}

}  // namespace
}  // namespace warpmark::plain
