// Lines of a source that others lead to: calls of a header's functions, comparisons of values.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/source_edits/callers.h"
#include "harness/source_edits/comparisons.h"

namespace warpmark::source_edits {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kHeader =
    "__global__ void unpack_kernel(int* to) {\n  to[0] = 1;\n}\n"
    "inline void unpack(int* to) {\n  unpack_kernel<<<1, 1>>>(to);\n}\n"
    "inline int other() {\n  return 2;\n}\n";

TEST(Callers, are_found_through_functions_of_the_header) {
  EXPECT_EQ(line_that_reaches("void v(int* to) {\n  f();\n  unpack(to);\n}\n", kHeader, 2), 3);
  EXPECT_EQ(line_that_reaches("void v(int* to) {\n  unpack_kernel<<<1, 1>>>(to);\n}\n", kHeader, 2), 2);
}

TEST(Callers, are_none_of_other_functions_or_lines) {
  EXPECT_EQ(line_that_reaches("void v(int* to) {\n  other();\n}\n", kHeader, 2), 0);
  EXPECT_EQ(line_that_reaches("void v(int* to) {\n  unpack(to);\n}\n", "#pragma once\n", 1), 0);
}

TEST(Comparisons, of_members_and_elements_of_one_name_are_found) {
  EXPECT_THAT(lines_that_compare_alike("void v() {\n  if (a.least < b.least) f();\n  if (i < n) g();\n"
                                       "  if (keys[i] >= keys[j] && a.x > b.y) h();\n}\n"),
              ElementsAre(2, 4));
  EXPECT_THAT(lines_that_compare_alike("void v() {\n  if (i < n || a[i] < b[i]) f();\n}\n"), IsEmpty());
}

}  // namespace
}  // namespace warpmark::source_edits
