// Outputs of programs: what counts as equal, and which difference is named first.
#include "harness/assignments/program/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::program {
namespace {

using testing::HasSubstr;

struct Pair {
  const char* expected;
  const char* actual;
  const char* what;  // part of the difference; empty: there is none
  std::size_t line = 0;
};

void expect_all(const Comparison& comparison, const std::vector<Pair>& pairs) {
  for (const auto& [expected, actual, what, line] : pairs) {
    const auto found = difference(comparison, expected, actual);
    EXPECT_EQ(found.has_value(), *what != '\0') << expected << " | " << actual;
    if (!found) continue;
    EXPECT_THAT(found->what, HasSubstr(what)) << expected << " | " << actual;
    EXPECT_EQ(found->line, line) << expected << " | " << actual;
  }
}

TEST(Comparison, exact_names_the_first_line_that_differs) {
  expect_all({}, {{"", "", ""},
                  {"a\nb\n", "a\nb\n", ""},
                  {"a\nb\n", "a\nc\n", "line 2 differs", 2},
                  {"a\nb\n", "a\n", "ends before line 2", 2},
                  {"a\n", "a\nb\n", "goes on after the end", 2},
                  {"a\n", "a", "does not end with a newline", 1},
                  {"a", "a\n", "ends with a newline", 1},
                  {"a\nb\n", "a\r\nb\r\n", "carriage return", 1},
                  {"a b\n", "a  b\n", "line 1 differs", 1},
                  {"", "a\n", "goes on after the end", 1}});
}

TEST(Comparison, words_may_stand_on_other_lines) {
  expect_all({ComparisonKind::words}, {{"a b\nc\n", "a\n\nb c", ""},
                                       {"a b\n", "a\nc\n", "word 1 of line 2", 2},
                                       {"1.0", "1", "word 1 of line 1", 1},
                                       {"a b", "a", "ends before word 2 of line 1", 1},
                                       {"a", "a\nb", "goes on", 2}});
}

TEST(Comparison, numbers_agree_within_the_tolerance) {
  const Comparison numbers{ComparisonKind::numbers, 1e-3, 1e-6};
  expect_all(numbers, {{"sum = 100", "sum = 100.05", ""},
                       {"sum=100", "sum=99.95", ""},
                       {"sum = 100", "sum = 100.2", "number 3 of line 1", 1},
                       {"0", "1e-7", ""},
                       {"0", "1e-5", "number 1", 1},
                       {"(1, -2)", "(1.0000001,-2.0)", ""},
                       {"v2 1", "v3 1", "word 1", 1},
                       {"1 2", "1 x", "word 2", 1},
                       {"inf", "inf", ""},
                       {"inf", "-inf", "number 1", 1},
                       {"1e400", "1e308", "number 1", 1},
                       {"nan", "nan", "number 1", 1},
                       {"1", "nan", "number 1", 1},
                       {"+1.5e2", "150", ""}});
  expect_all({ComparisonKind::numbers}, {{"1 2 3", "1.0 2e0 3.", ""}, {"1", "1.0000001", "number 1", 1}});
}

TEST(Comparison, shows_no_more_than_a_report_can_hold) {
  const auto found = difference({}, std::string(1 << 20, 'a'), std::string(1 << 20, 'b'));
  ASSERT_TRUE(found);
  EXPECT_LT(found->expected.size() + found->actual.size(), 3 * kShownBytes);
}

}  // namespace
}  // namespace warpmark::program
