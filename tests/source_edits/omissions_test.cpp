// What was left out is found by what remains: an empty `if`, a kernel without a launch or without its store.
#include "harness/source_edits/omissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::source_edits {
namespace {

using testing::HasSubstr;

std::string source(const std::string& body, const std::string& launch) {
  return "__global__ void add(const float* a, float* out, unsigned n) {\n"
         "  const unsigned i = threadIdx.x;\n" +
         body +
         "\n}\nextern \"C\" void v(const float* a, float* result, unsigned n) {\n  if (n == 0) return;\n" +
         launch + "\n}\n";
}

const std::string kLaunch = "  add<<<1, n>>>(a, result, n);";

TEST(Omissions, are_none_where_the_output_is_stored) {
  EXPECT_FALSE(find_omission(source("  if (i < n) out[i] = a[i];", kLaunch), {"result"}));
  EXPECT_FALSE(find_omission(source("  if (i < n) atomicAdd(out, a[i]);", kLaunch), {"result"}));
  EXPECT_FALSE(find_omission(source("  float* to = out; *to = a[i];", kLaunch), {"result"}));
}

TEST(Omissions, are_at_the_end_of_a_kernel_that_stores_nothing) {
  const auto found = find_omission(source("  const float x = a[i];", kLaunch), {"result"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 4);
  EXPECT_THAT(found->what, HasSubstr("`add`, which ends there, stores to `out`"));
}

TEST(Omissions, are_where_an_if_has_no_statement) {
  const auto found = find_omission(source("  if (i < n) ;", kLaunch), {"result"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 3);
}

TEST(Omissions, are_at_the_end_of_a_version_that_launches_nothing) {
  const auto found = find_omission(source("  if (i < n) out[i] = a[i];", ""), {"result"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 8);
  EXPECT_THAT(found->what, HasSubstr("`add` is never launched"));
}

TEST(Omissions, leave_loops_functions_and_variables_behind) {
  struct Left {
    std::string body;
    int line;
    std::string what;
  };
  for (const Left& left :
       std::vector<Left>{{"  for (unsigned k = i; k < n; ++k) ;", 3, "the `for` there does nothing"},
                         {"  out[i] = a[i];\n}\n__device__ float twice(float x) {\n  return 2 * x;", 5,
                          "nothing calls the function `twice`"},
                         {"  float other = a[i];\n  other = a[n];\n  out[i] = a[i];", 4,
                          "`other` is set there, and nothing reads it"}}) {
    const auto found = find_leftover(source(left.body, kLaunch));
    ASSERT_TRUE(found) << left.body;
    EXPECT_EQ(found->omission.line, left.line) << found->omission.what;
    EXPECT_THAT(found->omission.what, HasSubstr(left.what));
  }
}

TEST(Omissions, are_not_sure_where_the_head_of_a_loop_may_compute) {
  const auto in_the_head =
      find_leftover(source("  unsigned p; for (p = 1; p < n; p *= 2) ; out[i] = a[p];", kLaunch));
  ASSERT_TRUE(in_the_head);
  EXPECT_FALSE(in_the_head->is_sure);
  const auto of_its_own = find_leftover(source("  for (unsigned k = i; k < n; ++k) ;", kLaunch));
  ASSERT_TRUE(of_its_own);
  EXPECT_TRUE(of_its_own->is_sure);
  EXPECT_FALSE(find_leftover(source("  if (i > n) ; else out[i] = a[i];", kLaunch)));
}

TEST(Omissions, leave_nothing_behind_in_whole_code) {
  for (const char* body :
       {"  const unsigned end = n; for (unsigned k = i; k < end; ++k) out[k] = a[k];",
        "  float mine; mine = a[i]; out[i] = mine;", "  float x[2]; x[0] = a[i]; out[i] = x[0];"})
    EXPECT_FALSE(find_leftover(source(body, kLaunch))) << body;
}

TEST(Omissions, of_an_empty_input_are_at_the_early_return) {
  EXPECT_EQ(line_of_early_return(source("", kLaunch)), 6);
  EXPECT_EQ(line_of_early_return("void v() {}\n"), 0);
}

TEST(FindLeftover, names_a_division_of_whole_numbers_that_gives_nothing) {
  const auto found = find_leftover(source("  out[i] = (i + 1 / 2) * a[i];", kLaunch));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_sure);
  EXPECT_EQ(found->omission.what, "`1 / 2` is 0");
  for (const char* right : {"  out[i] = 1.0 / 2;", "  out[i] = a[i] * 1 / 2;", "  out[i] = 4 / 2 * a[i];"})
    EXPECT_FALSE(find_leftover(source(right, kLaunch))) << right;
}

std::string sorted_by(const std::string& comparator, const std::string& before = "") {
  return before + "void v(P* a, P* b) {\n  std::sort(a, b, " + comparator + ");\n}\n";
}

TEST(FindLeftover, names_a_comparator_that_is_true_for_equal_elements) {
  for (const std::string& text :
       {sorted_by("[](P x, P y) { return (x >> 32) <= (y >> 32); }"),
        sorted_by("[](const P& x, const P& y) { return x.a < y.a || (x.a == y.a && x.b >= y.b); }"),
        sorted_by("std::less_equal<>()"),
        sorted_by("Less{}", "struct Less { bool operator()(P x, P y) const { return x.a <= y.a; } };\n"),
        sorted_by("less", "bool less(P x, P y) { return x.a <= y.a; }\n")}) {
    const auto found = find_leftover(text);
    ASSERT_TRUE(found) << text;
    EXPECT_TRUE(found->is_sure) << text;
    EXPECT_THAT(found->omission.what, HasSubstr("equal elements")) << text;
  }
}

TEST(FindLeftover, lets_comparators_and_other_comparisons_be) {
  for (const std::string& text : {sorted_by("[](P x, P y) { return x.a < y.a; }"),
                                  sorted_by("[&](P x, P y) { return x.a + 1 <= y.a; }"),
                                  sorted_by("[&](P x, P y) { return k <= n ? x < y : y < x; }")})
    EXPECT_FALSE(find_leftover(text)) << text;
}

}  // namespace
}  // namespace warpmark::source_edits
