#include "harness/build/variable_arrays.h"

#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

TEST(VariableArrays, are_found_in_what_clang_says) {
  const ArrayLines lines = lines_of_variable_arrays(
      "/a/b.cu:4:11: error: variable-sized object may not be initialized\n  float a[n] = {0};\n"
      "c.h:7:3: error: variable-sized object may not be initialized\n"
      "/a/b.cu:9:11: error: use of undeclared identifier 'x'\n");
  EXPECT_EQ(lines, (ArrayLines{{"b.cu", {4}}, {"c.h", {7}}}));
}

TEST(VariableArrays, are_filled_behind_their_declaration) {
  EXPECT_EQ(spell_variable_arrays("float a[n] = {0}, b[2 * n] = {1, f(2),};", {1}),
            "float a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)(), "
            "b[2 * n], *warpmark_filled_b = warpmark_fill_array(&b[0], sizeof b)(1, f(2) );");
  EXPECT_EQ(spell_variable_arrays("int g[n][n]{{0}, {0}};", {1}),
            "int g[n][n], *warpmark_filled_g = warpmark_fill_array(&g[0][0], sizeof g)();");
}

TEST(VariableArrays, of_zeros_hold_nothing_but_numbers) {
  EXPECT_EQ(spell_variable_arrays("float a[n] = {0.f, 0.0F};", {1}),
            "float a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)();");
  EXPECT_EQ(spell_variable_arrays("float a[n] = {f};", {1}),
            "float a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)(f);");
}

TEST(VariableArrays, may_end_with_a_comma_and_a_comment) {
  EXPECT_EQ(spell_variable_arrays("int a[n] = {1, 2, // last\n};", {1}),
            "int a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)(1, 2  // last\n);");
}

TEST(VariableArrays, keep_their_lines) {
  EXPECT_EQ(spell_variable_arrays("int x;\nint a[n] =\n  {1,\n   2};\nint b[n] = {3};", {2}),
            "int x;\nint a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)\n(1,\n   2);\n"
            "int b[n] = {3};");
}

TEST(VariableArrays, lose_const_where_their_elements_have_it) {
  EXPECT_EQ(spell_variable_arrays("f(); const int a[n] = {1};", {1}),
            "f();       int a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)(1);");
  EXPECT_EQ(spell_variable_arrays("const char* a[n] = {\"{}\"};", {1}),
            "const char* a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)(\"{}\");");
}

TEST(VariableArrays, that_are_not_understood_stay_as_they_are) {
  for (const char* source :
       {"P a[n] = {{1, 2}};", "char s[n] = \"abc\";", "a[n] = b;", "// int a[n] = {0};", "f(\"a[n] = {0}\");",
        "int a[n] = {", "int a[n", "x = y[i]; if (a) {}", "[n]{}", "return [&] { return a; }();"}) {
    EXPECT_EQ(spell_variable_arrays(source, {1}), source);
  }
}

}  // namespace
}  // namespace warpmark::build
