// Rows with padding, sums by row, bounds by type, ladders and baselines of the plain form.
#include "harness/assignments/plain/rows.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/plain/answers.h"
#include "harness/assignments/plain/comparison.h"
#include "tests/assignments/plain/drawn.h"
#include "tests/assignments/plain/spec_of.h"

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kRows = R"toml(contract = "c.h"
call = "version(a, b, m, n, pitch, stream)"
types = ["int", "float"]
sizes = ["m", "n", "pitch"]

[[buffer]]
name = "a"
role = "input"
type = "value_t"
count = "m * n"
row = "n"
sum_by_row = true
data = ["whole", "uniform"]
low = {float = -100}
high = {float = "n + 100"}

[[buffer]]
name = "b"
role = "in_out"
type = "value_t"
count = "m * pitch"
row = "pitch"
columns = "n"

[ladder]
from = 10
to = 20
m = "isqrt(n)"
n = "isqrt(n)"
pitch = "isqrt(n) + 1"
operations = "2 * m * n"
bytes = "8 * m * n"
doubles = true

[[cpu]]
name = "one"
file = "cpu.cpp"

[[cpu]]
name = "all"
file = "other.cpp"
function = "threaded"
threads = true
)toml";

std::string rows_with(std::string_view what, std::string_view by) {
  std::string text(kRows);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "the text has no " << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(RowsSpec, is_read_whole) {
  const Spec spec = spec_of(kRows);
  const BufferRule& a = spec.buffers[0];
  EXPECT_TRUE(a.sum_by_row);
  EXPECT_FALSE(a.low_for("int"));
  EXPECT_EQ(a.low_for("float")->expression->value({}).value_or(0), -100);
  EXPECT_EQ(a.high_for("float")->expression->text(), "n + 100");
  EXPECT_EQ(spec.buffers[1].columns->text(), "n");
  EXPECT_EQ(amount_of(spec, *spec.ladder_operations, Size({3, 4, 5})), 24);
  EXPECT_EQ(amount_of(spec, *spec.ladder_bytes, Size({3, 4, 5})), 96);
  EXPECT_TRUE(spec.ladder_doubles);
  ASSERT_EQ(spec.cpu.size(), 2U);
  EXPECT_EQ(spec.cpu[0].function, "one");
  EXPECT_FALSE(spec.cpu[0].threads);
  EXPECT_EQ(spec.cpu[1].file, "other.cpp");
  EXPECT_EQ(spec.cpu[1].function, "threaded");
  EXPECT_TRUE(spec.cpu[1].threads);
}

TEST(RowsSpec, that_is_broken_is_refused_with_its_rule) {
  struct Row {
    std::string_view what;
    std::string_view by;
    std::string_view rule;
  };
  for (const Row& row :
       {Row{"{float = -100}", "{half = -100}", "buffer.low.half is not known here; known: float, int"},
        Row{"row = \"n\"\n", "", "a: sum_by_row needs row"},
        Row{"row = \"pitch\"\n", "", "b: columns says where the padding of a row begins"},
        Row{"role = \"in_out\"", "role = \"output\"", "b: columns says where the padding of a row begins"},
        Row{"\"2 * m * n\"", "\"2 * k\"", "ladder.operations uses k, which is no size"},
        Row{"\"8 * m * n\"", "\"8 *\"", "ladder.bytes"},
        Row{"\"cpu.cpp\"", "\"cpu.cu\"", "cpu.file is \"cpu.cu\", and must be a .cpp file"},
        Row{"\"cpu.cpp\"", "\"../cpu.cpp\"", "without a path"},
        Row{"name = \"all\"", "name = \"one\"", "the baseline one is listed twice"},
        Row{"threads = true", "thread = true", "cpu.thread is not known here"}}) {
    const auto spec = read_spec_of(rows_with(row.what, row.by));
    ASSERT_FALSE(spec) << row.by;
    EXPECT_THAT(spec.error().message, AllOf(StartsWith(std::string(kSpecFile) + ":"), HasSubstr(row.rule)));
  }
}

TEST(Rows, have_padding_behind_the_columns) {
  const Spec spec = spec_of(kRows);
  const Row row = row_of(spec, spec.buffers[1], Size({3, 4, 6}), *find_element("float"));
  EXPECT_TRUE(row.padded());
  EXPECT_FALSE(row.is_padding(3));
  EXPECT_TRUE(row.is_padding(4));
  EXPECT_TRUE(row.is_padding(5));
  EXPECT_FALSE(row.is_padding(6));
  EXPECT_FALSE(row_of(spec, spec.buffers[1], Size({3, 4, 4}), *find_element("float")).padded());
  EXPECT_FALSE(row_of(spec, spec.buffers[0], Size({3, 4, 6}), *find_element("float")).padded());
}

TEST(Rows, too_short_for_their_columns_are_a_fault_with_the_line_and_the_size) {
  const Spec spec = spec_of(kRows);
  try {
    row_of(spec, spec.buffers[1], Size({3, 4, 3}), *find_element("float"));
    FAIL() << "a row of 3 holds 4 columns";
  } catch (const AssignmentFault& fault) {
    EXPECT_THAT(fault.what(), AllOf(StartsWith(std::string(kSpecFile) + ":"),
                                    HasSubstr("b has 4 columns in rows of 3 at size 3,4,3")));
  }
}

TEST(Rows, compare_padding_bit_for_bit_and_elements_within_the_tolerance) {
  const Element& element = *find_element("float");
  const Tolerance tolerance{.absolute = 0.5};
  const std::vector<float> expected{1, 2, 3, 4, 5, 6};
  const Comparison comparison{&element, &tolerance, std::as_bytes(std::span(expected)), {}, {}, {3, 2}};
  const auto first_wrong = [&](std::size_t at) {
    auto actual = expected;
    actual[at] += 0.25F;
    return first_difference(comparison, 0, std::as_bytes(std::span(actual)));
  };
  EXPECT_FALSE(first_wrong(1));
  ASSERT_TRUE(first_wrong(2));
  EXPECT_EQ(first_wrong(5)->number, 5U);
}

TEST(Padding, is_compared_and_filled_in_every_row) {
  std::vector<std::uint16_t> a{1, 2, 9, 3, 4, 9, 5, 6};  // no padding behind the last row
  auto b = a;
  const Row row{3, 2};
  b[3] = 7;
  EXPECT_TRUE(same_padding(row, 2, std::as_bytes(std::span(a)), std::as_bytes(std::span(b))));
  b[5] = 8;
  EXPECT_FALSE(same_padding(row, 2, std::as_bytes(std::span(a)), std::as_bytes(std::span(b))));
  fill_padding(row, 2, std::as_writable_bytes(std::span(a)));
  EXPECT_EQ(a, (std::vector<std::uint16_t>{1, 2, 0, 3, 4, 0, 5, 6}));
  fill_padding({}, 2, std::as_writable_bytes(std::span(a)));
  EXPECT_EQ(a[0], 1U);
}

TEST(Whole, are_whole_numbers_that_reach_both_bounds) {
  for (const auto& [low, high] : {std::pair{-3.0, 3.0}, {-2.5, 0.9}, {0.0, 0.0}, {-1048576.0, 1048576.0}}) {
    const auto [numbers, error] = drawn<float>({"whole", Number::f32, 5000, {0, 0, low, high}, 0, 4});
    ASSERT_EQ(error, "");
    for (const float x : numbers) {
      ASSERT_EQ(x, std::trunc(x));
      ASSERT_GE(x, low);
      ASSERT_LE(x, high);
    }
    if (high - low > 10) continue;
    EXPECT_EQ(std::ranges::max(numbers), std::floor(high));
    EXPECT_EQ(std::ranges::min(numbers), std::ceil(low));
  }
  EXPECT_TRUE(needs_reals("whole"));
  EXPECT_THAT(drawn<float>({"whole", Number::f32, 9, {0, 0, 0.2, 0.8}, 0, 1}).error,
              StartsWith("whole: there is no whole number"));
}

TEST(Exact, by_row_has_sums_below_the_limit_in_each_row_and_not_in_all) {
  Drawing drawing{"exact", Number::f32, 300 * 40, {0, 0, -0x1p24, 0x1p24}, 0x1p18, 4};
  drawing.row = 40;
  const auto [numbers, error] = drawn<float>(drawing);
  ASSERT_EQ(error, "");
  double most = 0;
  for (std::size_t row = 0; row < 300; ++row) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(row * 40);
    most = std::max(most, magnitudes(std::vector<float>(begin, begin + 40)));
  }
  EXPECT_LT(most, 0x1p18);
  EXPECT_GT(magnitudes(numbers), 0x1p18);
  EXPECT_FALSE(std::equal(numbers.begin(), numbers.begin() + 40, numbers.begin() + 40)) << "rows repeat";
}

TEST(AnswerChange, makes_one_answer_of_the_other_and_back) {
  const auto answer = [](std::vector<std::size_t> changed) {
    Bytes contents(1000, std::byte{1});
    for (const std::size_t at : changed) contents[at] = std::byte{2};
    return Answer{{{}, contents}, {{}, Bytes(10, std::byte(changed.size()))}};
  };
  const Answer from = answer({});
  for (const auto& places : {std::vector<std::size_t>{}, {0}, {999}, {63, 64}, {10, 500, 501, 998}}) {
    const Answer to = answer(places);
    const AnswerChange change(from, to);
    Answer now = from;
    change.apply(now);
    EXPECT_EQ(now.contents, to.contents);
    EXPECT_EQ(now.bounds, to.bounds);
    change.revert(from, now);
    EXPECT_EQ(now.contents, from.contents);
    EXPECT_EQ(now.bounds, from.bounds);
  }
}

}  // namespace
}  // namespace warpmark::plain
