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

TEST(Omissions, of_an_empty_input_are_at_the_early_return) {
  EXPECT_EQ(line_of_early_return(source("", kLaunch)), 6);
  EXPECT_EQ(line_of_early_return("void v() {}\n"), 0);
}

}  // namespace
}  // namespace warpmark::source_edits
