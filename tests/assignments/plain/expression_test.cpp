#include "harness/assignments/plain/expression.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
const Values kValues{{"n", 33},       {"m", 7},          {"zero", 0}, {"less", -7},
                     {"most", kMost}, {"least", kLeast}, {"min", 5}};

// Returns the value as text, or the message of the error.
std::string value_of(std::string_view text) {
  const auto parsed = Expression::parse(text);
  if (!parsed) return "refused: " + parsed.error().message;
  const auto value = parsed->value(kValues);
  return value ? std::to_string(*value) : "fails: " + value.error().message;
}

struct Valued {
  std::string_view text;
  std::int64_t value;
};

class ValuedExpression : public testing::TestWithParam<Valued> {};

TEST_P(ValuedExpression, has_the_value_that_cpp_gives) {
  EXPECT_EQ(value_of(GetParam().text), std::to_string(GetParam().value)) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, ValuedExpression,
    testing::Values(Valued{"0", 0}, Valued{"  12 ", 12}, Valued{"9223372036854775807", kMost},
                    Valued{"n", 33}, Valued{"-n", -33}, Valued{"--n", 33}, Valued{"(n)", 33},
                    Valued{"n+m", 40}, Valued{"n - m - 1", 25}, Valued{"n - (m - 1)", 27},
                    Valued{"100 / 7 / 2", 7}, Valued{"100 / (7 / 2)", 33}, Valued{"100 % 7", 2},
                    Valued{"less / 2", -3}, Valued{"less % 2", -1}, Valued{"2 * 3 % 4", 2}));
INSTANTIATE_TEST_SUITE_P(
    Precedence, ValuedExpression,
    testing::Values(Valued{"1 + 2 * 3", 7}, Valued{"(1 + 2) * 3", 9}, Valued{"-2 * 3", -6},
                    Valued{"2 * -3", -6}, Valued{"1 + 2 < 4", 1}, Valued{"1 + (2 < 4)", 2},
                    Valued{"3 > 2 > 1", 0}, Valued{"1 < 2 == 1", 1}, Valued{"1 == 1 < 2", 1},
                    Valued{"2 == 2 == 2", 0}, Valued{"0 && 0 || 1", 1}, Valued{"1 || 0 && 0", 1},
                    Valued{"(1 || 0) && 0", 0}, Valued{"1 == 2 || 3 != 4", 1}, Valued{"!0 + 1", 2},
                    Valued{"!(0 + 1)", 0}, Valued{"!n == 0", 1}, Valued{"!!n", 1}, Valued{"1 != 1", 0},
                    Valued{"4 <= 4 && 4 >= 4", 1}, Valued{"5 <= 4 || 4 >= 5", 0}));
INSTANTIATE_TEST_SUITE_P(
    Functions, ValuedExpression,
    testing::Values(Valued{"min(n, m)", 7}, Valued{"max(n, m)", 33}, Valued{"min(less, m) + 1", -6},
                    Valued{"min", 5}, Valued{"min + 1", 6}, Valued{"max (n, m)", 33},
                    Valued{"max(min(n, 20), max(3, m))", 20}, Valued{"ceil_div(n, 8)", 5},
                    Valued{"ceil_div(32, 8)", 4}, Valued{"ceil_div(0, 8)", 0},
                    Valued{"ceil_div(less, 2)", -3}, Valued{"ceil_div(less, -2)", 4},
                    Valued{"ceil_div(most, 2)", std::int64_t{1} << 62}, Valued{"isqrt(0)", 0},
                    Valued{"isqrt(1)", 1}, Valued{"isqrt(3)", 1}, Valued{"isqrt(4)", 2},
                    Valued{"isqrt(n) * isqrt(n) <= n", 1}, Valued{"isqrt(most)", 3037000499},
                    Valued{"isqrt(3037000499 * 3037000499)", 3037000499},
                    Valued{"isqrt(3037000499 * 3037000499 - 1)", 3037000498},
                    Valued{"isqrt(2147483648 * 2147483648 - 1)", 2147483647}));
INSTANTIATE_TEST_SUITE_P(ShortCircuit, ValuedExpression,
                         testing::Values(Valued{"zero != 0 && n / zero > 1", 0},
                                         Valued{"zero == 0 || n / zero > 1", 1}, Valued{"zero && unknown", 0},
                                         Valued{"n || unknown", 1}, Valued{"n && m", 1},
                                         Valued{"zero || zero", 0}, Valued{"zero && most + 1 || m == 7", 1}));

struct Failing {
  std::string_view text;
  std::string_view rule;
};

class FailingExpression : public testing::TestWithParam<Failing> {};

TEST_P(FailingExpression, is_quoted_with_the_rule) {
  EXPECT_THAT(value_of(GetParam().text),
              AllOf(testing::StartsWith("fails: "), HasSubstr("\"" + std::string(GetParam().text) + "\""),
                    HasSubstr(GetParam().rule)));
}

INSTANTIATE_TEST_SUITE_P(
    Values, FailingExpression,
    testing::Values(Failing{"most + 1", "exceeds 64 bits"}, Failing{"least - 1", "exceeds 64 bits"},
                    Failing{"most * 2", "exceeds 64 bits"}, Failing{"-least", "exceeds 64 bits"},
                    Failing{"least / -1", "exceeds 64 bits"}, Failing{"least % -1", "exceeds 64 bits"},
                    Failing{"ceil_div(least, -1)", "exceeds 64 bits"}, Failing{"n / zero", "divides by 0"},
                    Failing{"n % zero", "divides by 0"}, Failing{"ceil_div(n, zero)", "divides by 0"},
                    Failing{"isqrt(less)", "root of a negative number"}, Failing{"n + unknown", "unknown"},
                    Failing{"n / zero && 0", "divides by 0"}, Failing{"n && n / zero", "divides by 0"},
                    Failing{"unknown || 1", "unknown"}, Failing{"min(1, n / zero)", "divides by 0"}));

class RefusedExpression : public testing::TestWithParam<Failing> {};

TEST_P(RefusedExpression, is_quoted_with_the_rule) {
  EXPECT_THAT(value_of(GetParam().text),
              AllOf(testing::StartsWith("refused: \"" + std::string(GetParam().text) + "\": "),
                    HasSubstr(GetParam().rule)));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, RefusedExpression,
    testing::Values(Failing{"", "operand is missing"}, Failing{"  ", "operand is missing"},
                    Failing{"n +", "operand is missing"}, Failing{"* n", "expected before \"* n\""},
                    Failing{"n m", "\"m\" is left over"}, Failing{"n)", "\")\" is left over"},
                    Failing{"n = m", "\"= m\" is left over"}, Failing{"n & m", "left over"},
                    Failing{"(n", "\")\" is missing"}, Failing{"min(n)", "two operands"},
                    Failing{"min(n, m", "\")\" is missing"}, Failing{"isqrt(n, m)", "\")\" is missing"},
                    Failing{"sqrt(n)", "no function is called \"sqrt\"; known: min, max, ceil_div, isqrt"},
                    Failing{"9223372036854775808", "below 2^63"}, Failing{"1e3", "below 2^63"},
                    Failing{"2n", "below 2^63"}, Failing{"1.5", "left over"},
                    Failing{"n ^2", "\"^2\" is left over; operators are + - * / %"},
                    Failing{"n ? 1 : 2", "left over"}, Failing{"n[0]", "left over"},
                    Failing{"\xc3\xa4", "expected before"}));

TEST(Expression, lists_its_names_and_keeps_its_text) {
  const auto parsed = Expression::parse("max(n, 1) * m + n");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_THAT(parsed->names(), ElementsAre("m", "n"));
  EXPECT_EQ(parsed->text(), "max(n, 1) * m + n");
}

TEST(Expression, is_made_of_a_number_of_any_sign) {
  EXPECT_EQ(Expression::number(kLeast).value({}).value_or(0), kLeast);
  EXPECT_EQ(Expression::number(-3).text(), "-3");
  EXPECT_TRUE(Expression::number(7).names().empty());
}

TEST(Expression, that_is_nested_or_long_beyond_measure_is_refused) {
  const auto nested = [](std::size_t depth) {
    return value_of(std::string(depth, '(') + "n" + std::string(depth, ')'));
  };
  EXPECT_EQ(nested(99), "33");
  EXPECT_THAT(nested(101), HasSubstr("nested too deeply"));
  EXPECT_THAT(value_of(std::string(500, '-') + "n"), HasSubstr("nested too deeply"));
  EXPECT_THAT(value_of(std::string(500, '!') + "n"), HasSubstr("nested too deeply"));
  std::string sum = "1";
  for (int i = 0; i < 900; ++i) sum += "+1";
  EXPECT_EQ(value_of(sum), "901");
  for (int i = 0; i < 200; ++i) sum += "+1";
  EXPECT_THAT(value_of(sum), HasSubstr("at most 2000 characters"));
}

}  // namespace
}  // namespace warpmark::plain
