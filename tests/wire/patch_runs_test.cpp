#include "harness/wire/patch_runs.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "harness/wire/codec.h"

namespace warpmark::wire {
namespace {

using Patches = std::vector<Patch>;

TEST(PatchRuns, join_values_that_lie_side_by_side) {
  const std::vector<PatchRun> runs =
      runs_of({{{"a", 8, 8}, 1}, {{"a", 16, 8}, 2}, {{"a", 24, 3}, 3}, {{"a", 27, 8}, 4}, {{"b", 35, 8}, 5}});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].where, (View{"a", 8, 19}));
  EXPECT_EQ(runs[0].values, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(runs[1].where, (View{"a", 27, 8}));
  EXPECT_EQ(runs[2].where, (View{"b", 35, 8}));
}

TEST(PatchRuns, come_back_as_the_patches_that_they_were) {
  constexpr std::uint64_t kEnd = UINT64_MAX;
  for (const Patches& patches : {
           Patches{},
           Patches{{{"a", 0, 8}, 1}, {{"a", 8, 8}, kEnd}, {{"a", 16, 8}, 3}},
           Patches{{{"a", 0, 4}, 1}, {{"a", 4, 4}, 2}},
           Patches{{{"a", 0, 8}, 1}, {{"a", 8, 2}, 2}, {{"a", 10, 8}, 3}},
           Patches{{{"a", 8, 8}, 1}, {{"a", 0, 8}, 2}, {{"a", 8, 8}, 3}},
           Patches{{{"a", 0, 9}, 1}, {{"a", 9, 8}, 2}},
           Patches{{{"a", 0, 8}, 1}, {{"a", 8, 0}, 2}, {{"a", 8, 9}, 3}},
           Patches{{{"a", kEnd - 7, 8}, 1}, {{"a", 0, 8}, 2}},
           Patches{{{"a", 0, 8}, 1}, {{"b", 8, 8}, 2}},
       }) {
    Call call;
    call.patches = patches;
    const NumberedRequest sent{1, call};
    const auto decoded = decode_request(encode(sent));
    ASSERT_TRUE(decoded) << decoded.error().why;
    EXPECT_EQ(*decoded, sent) << encode(sent);
  }
}

TEST(PatchRuns, are_refused_where_bytes_and_values_do_not_go_together) {
  Patches patches;
  EXPECT_FALSE(append_patches({{"a", 0, 8}, {}}, patches, 10));
  EXPECT_FALSE(append_patches({{"a", 0, 8}, {1, 2}}, patches, 10));
  EXPECT_FALSE(append_patches({{"a", 0, 17}, {1, 2}}, patches, 10));
  EXPECT_FALSE(append_patches({{"a", UINT64_MAX - 8, 16}, {1, 2}}, patches, 10));
  EXPECT_TRUE(patches.empty());
}

TEST(PatchRuns, are_refused_beyond_the_most) {
  Patches patches;
  EXPECT_TRUE(append_patches({{"a", 0, 16}, {1, 2}}, patches, 3));
  EXPECT_FALSE(append_patches({{"a", 0, 16}, {1, 2}}, patches, 3));
  EXPECT_EQ(patches.size(), 2U);
}

}  // namespace
}  // namespace warpmark::wire
