// What experiments say of wrong outputs: each function makes one mistake, in this process.
#include "harness/assignments/plain/explain.h"

#include <cstring>
#include <functional>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/plain/plain.h"
#include "tests/assignments/plain/spec_of.h"

namespace warpmark::plain {
namespace {

using testing::HasSubstr;
using Sizes = std::vector<std::size_t>;
// Computes the output of ints from the input of ints; `out` holds what memory held before the call.
using Function = std::function<void(const std::vector<int>& in, std::vector<int>& out, const Sizes& sizes)>;

std::vector<int> ints(std::span<const std::byte> bytes) {
  std::vector<int> all(bytes.size() / sizeof(int));
  if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

void call(const Function& function, std::span<const std::byte> in, std::span<std::byte> out,
          const std::vector<std::uint64_t>& sizes) {
  auto contents = ints(out);
  function(ints(in), contents, Sizes(sizes.begin(), sizes.end()));
  if (!out.empty()) std::memcpy(out.data(), contents.data(), out.size());
}

class Expected final : public Oracle {
 public:
  explicit Expected(Function function) : function_(std::move(function)) {}
  bool defines(std::string_view /*function*/) override { return false; }
  void call(const OracleCall& call) override {
    plain::call(function_, call.buffers[0].contents, call.buffers[1].contents, call.scalars);
  }
  void make(const std::string& /*buffer*/, const std::string& /*type*/, std::span<std::byte> /*target*/,
            std::uint64_t /*count*/, const std::vector<std::uint64_t>& /*sizes*/,
            std::string_view /*data_class*/, std::uint64_t /*seed*/) override {}

 private:
  Function function_;
};

class Calls final : public Experiment {
 public:
  Calls(Function function, std::vector<Size> sizes)
      : function_(std::move(function)), sizes_(std::move(sizes)) {}
  std::optional<Contents> call(const Case& /*which*/, const Problem& problem, const Contents& inputs,
                               std::byte before) override {
    Contents contents{{}, std::vector(problem.buffers()[1].bytes, before)};
    plain::call(function_, inputs[0], contents[1], problem.scalars());
    return contents;
  }
  [[nodiscard]] std::vector<Size> sizes() const override { return sizes_; }

 private:
  Function function_;
  std::vector<Size> sizes_;
};

// An assignment with the input `in` and the output `out`, whose count is an expression.
std::string toml_of(std::string_view sizes, std::string_view in, std::string_view out) {
  return fmt::format(R"toml(
contract = "sums.h"
call = "version(in, out, stream)"
sizes = {}
[[buffer]]
name = "in"
role = "input"
type = "int"
count = "{}"
data = ["uniform"]
low = -1000
high = 1000
[[buffer]]
name = "out"
role = "output"
type = "int"
count = "{}"
)toml",
                     sizes, in, out);
}

struct Told {
  std::string mistake, what;
};

std::optional<Explanation> explained(const std::string& toml, const Function& right, const Function& wrong,
                                     const std::vector<Size>& sizes) {
  const auto spec = std::make_shared<const Spec>(spec_of(toml));
  const auto oracle = std::make_shared<Expected>(right);
  const auto assignment = make_assignment(spec, oracle);
  Calls calls(wrong, sizes);
  return explain_outputs(spec, oracle, *assignment, assignment->case_of("", "uniform", sizes.back(), 7),
                         calls);
}

Told told(const std::string& toml, const Function& right, const Function& wrong, std::vector<Size> sizes) {
  const auto found = explained(toml, right, wrong, sizes);
  return found ? Told{found->mistake, found->what} : Told{};
}

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
      std::ranges::sort(out, less);
    };
  };
  const Told found =
      told_of_a_row(sorted([](int a, int b) { return a % 16 < b % 16; }), sorted(std::less<>()));
  EXPECT_EQ(found.mistake, "wrong_order") << found.what;
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

TEST(Explain, nothing_of_right_outputs) {
  EXPECT_EQ(told_of_a_row(doubled, doubled).mistake, "");
}

}  // namespace
}  // namespace warpmark::plain
