#include "harness/wire/finding_key.h"

#include <gtest/gtest.h>

#include "harness/wire/observation.h"

namespace warpmark::wire {
namespace {

Finding at(int line, int other_line, std::string message = "m") {
  return {.kind = CauseKind::race,
          .kernel = {},
          .file = "a.cu",
          .line = line,
          .other_line = other_line,
          .message = std::move(message),
          .frames = {}};
}

TEST(FindingKey, is_of_a_pair_of_lines_in_either_order) {
  EXPECT_EQ(key_of(at(3, 7)), key_of(at(7, 3, "other words")));
  EXPECT_NE(key_of(at(3, 7)), key_of(at(3, 9)));
  EXPECT_NE(key_of(at(3, 7)), key_of(at(3, 0)));
}

TEST(FindingKey, is_of_a_kind_and_a_file) {
  Finding other = at(3, 7);
  other.kind = CauseKind::warp_synchronous;
  EXPECT_NE(key_of(at(3, 7)), key_of(other));
  other = at(3, 7);
  other.file = "b.cu";
  EXPECT_NE(key_of(at(3, 7)), key_of(other));
}

TEST(FindingKey, without_a_line_is_of_the_words_without_their_numbers) {
  EXPECT_EQ(key_of(at(0, 0, "cudaFree(0x7ffc12ab): not yours")),
            key_of(at(0, 0, "cudaFree(0x7fd0): not yours")));
  EXPECT_NE(key_of(at(0, 0, "cudaFree(0x7ffc12ab): not yours")), key_of(at(0, 0, "cudaMemset: not yours")));
}

TEST(FindingKey, without_a_line_is_of_the_call_in_host_code) {
  Finding one = at(0, 0);
  one.frames = {1, 2};
  Finding other = at(0, 0);
  other.frames = {1, 3};
  EXPECT_NE(key_of(one), key_of(other));
  one.line = other.line = 4;
  EXPECT_EQ(key_of(one), key_of(other));
}

TEST(FoldRaces, makes_one_of_those_that_meet_at_a_line_and_need_the_same) {
  const std::string missing = "a writes b, and nothing orders the two: put a __syncthreads() between ";
  std::vector<Finding> all{at(28, 20, missing + "them; the same at line 29"), at(28, 30, missing + "them"),
                           at(30, 30, missing + "one step and the next"), at(40, 41, missing + "them"),
                           at(28, 31, "a writes b, and nothing orders the two: use atomicAdd")};
  fold_races(all);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(all[0].message.ends_with("; 2 more races of the same cause: lines 28 and 30, 30"))
      << all[0].message;
  EXPECT_EQ(all[1].line, 40);
  EXPECT_TRUE(all[2].message.ends_with("use atomicAdd"));
}

}  // namespace
}  // namespace warpmark::wire
