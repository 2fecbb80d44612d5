#include "harness/build/source_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using testing::HasSubstr;

TEST(ChangedVariable, is_the_one_that_a_line_assigns_or_counts) {
  EXPECT_EQ(changed_variable("  for (int i = 0; i < n; ++i) sum += data[i];"), "sum");
  EXPECT_EQ(changed_variable("  if (a == b) ++done;  // counted = 1"), "done");
  EXPECT_EQ(changed_variable("  histogram[key[i]]++;"), "histogram[key[i]]");
  EXPECT_EQ(changed_variable("  least = work.data[i];"), "least");
}

TEST(ChangedVariable, is_empty_where_a_line_changes_none_or_several) {
  EXPECT_EQ(changed_variable("  if (a <= b && a != c) f(a);"), "");
  EXPECT_EQ(changed_variable("  a = 1, b = 2;"), "");
}

TEST(AboutBoundsTest, names_the_test_of_another_variable) {
  EXPECT_THAT(
      about_bounds_test("a[y] = row < rows && first + y < inner ? in[row * inner + first + x] : 0;", 1, "in"),
      HasSubstr("line 1 tests `first + y < inner`, but the index is `row * inner + first + x`"));
  EXPECT_THAT(
      about_bounds_test("if (threadIdx.x < n)\n  sum += values[blockIdx.x * 256 + tid];", 2, "values"),
      HasSubstr("line 1 tests `threadIdx.x < n`"));
}

TEST(AboutBoundsTest, names_an_index_beside_the_tested_one) {
  EXPECT_THAT(about_bounds_test("if (i < n) sum += values[i + 1];", 1, "values"),
              HasSubstr("the index is `i + 1`"));
  EXPECT_THAT(about_bounds_test("if (i <= n) sum += values[i];", 1, "values"), HasSubstr("use <"));
}

TEST(AboutBoundsTest, is_empty_without_a_test_or_with_the_right_one) {
  EXPECT_EQ(about_bounds_test("sum += values[i];", 1, "values"), "");
  EXPECT_EQ(about_bounds_test("if (i < n) sum += values[i];", 1, "values"), "");
  EXPECT_EQ(about_bounds_test("x = row < rows && k < inner ? in[row * inner + k] : 0;", 1, "in"), "");
  EXPECT_EQ(about_bounds_test("v = static_cast<unsigned>(values[i]) << 2;", 1, "values"), "");
}

TEST(AboutEndlessLoop, names_a_step_that_does_not_lead_to_the_bound) {
  EXPECT_THAT(about_endless_loop("f();\n  for (unsigned i = lane; i < n; i = 32) s += v[i];", 2),
              HasSubstr("the step `i = 32` gives i the same value"));
  EXPECT_THAT(about_endless_loop("for (int k = 0; k < n; --k) f();", 1),
              HasSubstr("away from the bound of `k < n`"));
  EXPECT_THAT(about_endless_loop("for (unsigned s = 16; s > 0; s *= 2) f();", 1),
              HasSubstr("`s *= 2` leads s away from the bound of `s > 0`"));
}

TEST(AboutEndlessLoop, is_empty_where_the_step_leads_to_the_bound_or_is_unknown) {
  EXPECT_EQ(about_endless_loop("for (int k = 0; k < n; ++k) f();", 1), "");
  EXPECT_EQ(about_endless_loop("for (unsigned s = 16; s > 0; s /= 2) f();", 1), "");
  EXPECT_EQ(about_endless_loop("for (Node* p = first; p != end; p = p->next) f();", 1), "");
  EXPECT_EQ(about_endless_loop("while (true) f();", 1), "");
}

TEST(WithBoundsTest, explains_a_number_without_a_sign_that_gets_below_0) {
  const std::string message =
      "8-byte read of packed[-1], 8 bytes before the start; test the index against the size before the "
      "access";
  EXPECT_THAT(with_bounds_test(message, "while (to >= begin && packed[to] > mine) --to;", 1),
              HasSubstr("if to has no sign, `to >= begin` holds when begin is 0, too"));
}

TEST(WithBoundsTest, names_the_sign_of_an_index_below_zero) {
  const std::string message =
      "4-byte read 388 bytes before the start of the 3916-byte shared array mine, i.e. element -97 of 979; "
      "test "
      "the index against the size before the access";
  EXPECT_THAT(with_bounds_test(message, "++mine[static_cast<signed char>(keys[i])];", 1),
              HasSubstr("Use `unsigned char`"));
  EXPECT_THAT(with_bounds_test(message, "++mine[keys[i] - 97];", 1), HasSubstr("at least 0"));
}

TEST(WithBoundsTest, replaces_the_general_remedy) {
  EXPECT_EQ(
      with_bounds_test("4-byte read of v[4], past the end; test the index against the size before the access",
                       "if (i <= n) s += v[i];", 1),
      "4-byte read of v[4], past the end; line 1 tests `i <= n`, which is true of i = n, too: the last "
      "element "
      "has the index n - 1, so use <");
}

}  // namespace
}  // namespace warpmark::build
