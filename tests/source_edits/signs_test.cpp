// Lines of a source that a recognised kind of wrong output leads to.
#include "harness/source_edits/signs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::source_edits {
namespace {

using testing::HasSubstr;

int line_found(std::string_view text, const WrongOutput& output) {
  const auto sign = find_sign(text, output);
  return sign ? sign->line : 0;
}

// The result is taken at line 9.
std::string rounds(const std::string& exchange, const std::string& taken) {
  return "__global__ void step(const int* from, int* to);\nvoid f(Room work, int n) {\n"
         "  int* from = work.data;\n  int* to = work.data + n;\n  first(from);\n"
         "  for (int run = 1; run < n; run *= 2) {\n    step<<<1, 32>>>(from, to);\n    " +
         exchange + "\n  }\n  take(" + taken + ", n);\n}\n";
}

TEST(Signs, of_buffers_that_take_turns_name_where_the_first_one_is_taken) {
  for (const char* exchange : {"std::swap(from, to);", "int* const kept = to; to = from; from = kept;"}) {
    const auto sign = find_sign(rounds(exchange, "work.data"), {"other_half"});
    ASSERT_TRUE(sign) << exchange;
    EXPECT_EQ(sign->line, 10);
    EXPECT_TRUE(sign->is_sure);
    EXPECT_THAT(sign->what, HasSubstr("line 10 takes the result from `work.data`"));
  }
  EXPECT_EQ(line_found(rounds("std::swap(from, to);", "from"), {"other_half"}), 0)
      << "the right one is taken";
  EXPECT_EQ(line_found(rounds("", "work.data"), {"other_half"}), 0) << "nothing takes turns";
}

constexpr const char* kCopies =
    "__device__ void f(Both& to, const Both& from) {\n  to.low = get(from.low, 1);\n"
    "  to.high = get(from.high, 1);\n  to.low_at = get(from.low_at, 1);\n"
    "  to.high_at = get(from.low_at, 1);\n}\n";

TEST(Signs, of_a_member_that_is_copied_twice_name_the_line_whose_names_differ) {
  const auto sign = find_sign(kCopies, {"mixed_members"});
  ASSERT_TRUE(sign);
  EXPECT_EQ(sign->line, 5);
  EXPECT_THAT(sign->what, HasSubstr("takes `low_at` for `high_at`"));
}

TEST(Signs, of_members_need_a_line_of_the_same_form) {
  EXPECT_EQ(
      line_found("void f(Both& to, Both& from) {\n  to.low = from.high;\n  to.high = from.high + 1;\n}\n",
                 {"mixed_members"}),
      0);
}

TEST(Signs, of_permuted_numbers_name_two_indices_that_differ) {
  const std::string text =
      "__global__ void f(float* c) {\n  for (int j = 0; j < 4; ++j) s[j] = b[k][x * 4 + j];\n"
      "  for (int j = 0; j < 4; ++j) {\n    const int column = left + x + j * 16;\n    c[column] = s[j];\n  "
      "}\n}\n";
  const auto sign = find_sign(text, {"permuted"});
  ASSERT_TRUE(sign);
  EXPECT_EQ(sign->line, 4);
  EXPECT_THAT(sign->what, HasSubstr("line 2 numbers by `x * 4 + j`, line 4 by `left + x + j * 16`"));
  EXPECT_EQ(
      line_found("__global__ void f(float* c) {\n  a[x + j * 16] = 1;\n  c[left + x + j * 16] = 2;\n}\n",
                 {"permuted"}),
      0);
}

TEST(Signs, of_equal_values_name_where_a_position_is_packed) {
  const std::string text =
      "__global__ void f(Packed* best) {\n  const Packed number = Packed{ordered(value)} << 32;\n"
      "  if ((number | i) < least) least = number | i;\n  if ((number | i) > greatest) greatest = number | "
      "i;\n}\n";
  EXPECT_EQ(line_found(text, {"ties", "greatest_at"}), 4);
  EXPECT_EQ(line_found(text, {"ties", "least_at"}), 3);
  EXPECT_EQ(line_found("__global__ void f(int* x) {\n  x[0] = flags | 1;\n}\n", {"ties"}), 0);
}

TEST(Signs, of_equal_values_name_where_they_are_compared) {
  const std::string text =
      "__device__ bool f(Both& a, Both& b) {\n  if (a.least < b.least) return true;\n"
      "  return a.greatest < b.greatest;\n}\n";
  EXPECT_EQ(line_found(text, {"ties", "greatest_at"}), 3);
  EXPECT_EQ(line_found(text, {"ties", "place"}), 2);
}

TEST(Signs, of_a_beginning_name_where_it_is_written) {
  const std::string text =
      "constexpr float kHigh = std::numeric_limits<float>::max();\n"
      "constexpr float kLow = std::numeric_limits<float>::min();\nfloat f() {\n  return std::min(kHigh, "
      "kLow);\n}\n";
  EXPECT_EQ(line_found(text, {"initial_value", "", {"FLT_MIN", "min"}}), 2);
  EXPECT_EQ(line_found(text, {"initial_value", "", {"FLT_MAX", "max"}}), 1);
  EXPECT_EQ(line_found("float f() {\n  return std::min(1, FLT_MIN);\n}\n", {"initial_value", "", {"min"}}), 0)
      << "a function of that name";
  EXPECT_EQ(line_found(text, {"initial_value"}), 0) << "the value is not known";
}

std::string scatter(const std::string& code) {
  return "__global__ void f(const int* from, int* to, unsigned* next) {\n" + code + "}\n";
}

TEST(Signs, of_places_by_atomics_follow_the_result_to_a_store) {
  for (const char* code : {"  const unsigned place = atomicAdd(&next[0], 1U);\n  to[place] = from[i];\n",
                           "  const unsigned rank = atomicAdd(&next[0], 1U);\n  unsigned place = start[d] + "
                           "rank;\n  to[place] = 1;\n",
                           "  to[atomicAdd(next, 1U)] = from[i];\n"}) {
    const auto sign = place_by_atomic(scatter(code));
    ASSERT_TRUE(sign) << code;
    EXPECT_EQ(sign->line, 2);
  }
}

TEST(Signs, of_places_by_atomics_are_no_tickets_or_counts) {
  for (const char* code :
       {"  atomicAdd(&next[0], 1U);\n  to[i] = from[i];\n",
        "  if (threadIdx.x == 0) mine = atomicAdd(next, 1U);\n  to[mine] = from[i];\n",
        "  const unsigned ticket = atomicAdd(next, 1U);\n  if (ticket == last) to[0] = 1;\n",
        "  const unsigned place = atomicAdd(next, 1U);\n  sum += from[place];\n"})
    EXPECT_FALSE(place_by_atomic(scatter(code))) << code;
}

}  // namespace
}  // namespace warpmark::source_edits
