// What the source of a kernel adds to a race between two of its lines.
#include "harness/source_edits/races.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::source_edits {
namespace {

using testing::HasSubstr;

// Lines 4 and 6 of a loop that begins at line 3.
std::string tiles(const std::string& first, const std::string& between, const std::string& last) {
  return "__global__ void k(const int* a, int* out, int n) {\n  __shared__ int tile[32];\n"
         "  for (int k = 0; k < n; ++k) {\n    tile[threadIdx.x] = a[k];" +
         first + "\n    " + between + "\n    out[k] += tile[31 - threadIdx.x];\n    " + last + "\n  }\n}\n";
}

TEST(Races, with_the_next_round_of_a_loop_ask_for_a_barrier_at_its_end) {
  const std::string text = tiles("", "__syncthreads();", "");
  EXPECT_EQ(
      about_next_round(text, 6, 4),
      "the barrier at line 5 orders them in one round of the loop, but not line 6 and line 4 of the next "
      "round: put another __syncthreads() at the end of the loop of line 3, behind line 6");
  EXPECT_FALSE(about_next_round(tiles("", "block.sync();", ""), 4, 6).empty());
}

TEST(Races, without_a_barrier_between_the_lines_or_with_one_at_the_end_are_others) {
  EXPECT_EQ(about_next_round(tiles("", "", ""), 6, 4), "");
  EXPECT_EQ(about_next_round(tiles("", "__syncthreads();", "__syncthreads();"), 6, 4), "");
  EXPECT_EQ(about_next_round(tiles("", "__syncthreads();", ""), 2, 6), "") << "not in the loop";
}

constexpr const char* kMerge =
    "__global__ void merge(const int* from, int* to, int n) {\n  const int a = n, b = 0;\n"
    "  to[0] = from[a];\n  int* const there = to;\n  n = there[a] + from[a];\n  n = from[a] + from[b];\n}\n";

TEST(Races, of_an_element_that_the_line_does_not_name_are_of_an_index_past_the_end) {
  EXPECT_THAT(about_passed_end(kMerge, 6, "to[0]"),
              HasSubstr("the line reads `from`, not `to`: an index of `from` has passed the end"));
}

TEST(Races, of_an_element_that_the_line_may_mean_are_not) {
  EXPECT_EQ(about_passed_end(kMerge, 3, "to[0]"), "") << "it names `to`";
  EXPECT_EQ(about_passed_end(kMerge, 5, "to[0]"), "") << "by another pointer";
  EXPECT_EQ(about_passed_end(kMerge, 6, "tile[0]"), "") << "no array that the kernel is given";
}

constexpr const char* kInPlace =
    "__global__ void sums(const float* from, float* to) {\n  const float sum = from[threadIdx.x];\n"
    "  if (threadIdx.x < 9) to[threadIdx.x / 2] = sum + own[0];\n}\nvoid v(float* room) {\n  sums<<<1, "
    "2>>>(room, room);\n}\n";

TEST(Races, of_a_store_to_another_array_than_the_line_names_are_of_one_memory_for_two) {
  EXPECT_THAT(about_same_memory(kInPlace, 3, "from[1]"),
              HasSubstr("line 3 stores to `to`, which is the memory of `from` (line 6 passes `room` for two "
                        "parameters)"));
  EXPECT_EQ(about_same_memory(kInPlace, 3, "to[1]"), "") << "the line names it";
  EXPECT_EQ(about_same_memory(kInPlace, 2, "from[1]"), "") << "it stores to none";
  EXPECT_THAT(about_same_memory(kMerge, 3, "from[1]"), HasSubstr("seems to be the memory of `from`"))
      << "no call shows it";
}

}  // namespace
}  // namespace warpmark::source_edits
