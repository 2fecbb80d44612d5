// Why no thread reaches an element, as the launch shows it.
#include "harness/judge/checks/unreached.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

using testing::HasSubstr;

struct Row {
  std::string message;
  std::uint64_t n;
  LaunchShape launch;
  std::string why;  // part of it; empty: the launch does not explain it
  std::string dimension;
};

LaunchShape shape(std::vector<std::uint64_t> grid, std::vector<std::uint64_t> block) {
  return {"k", std::move(grid), std::move(block), 0};
}

TEST(Unreached, is_explained_by_the_numbers_of_blocks_and_threads) {
  for (const Row& row : std::vector<Row>{
           {"b(524280, 0) is wrong", 600000, shape({1, 65535, 1}, {32, 8, 1}),
            "a grid cannot have more blocks along y: index 524280 is the first that no thread reaches", "y"},
           {"b(3, 640) is wrong", 600000, shape({20, 7, 1}, {32, 8, 1}),
            "20 blocks of 32 threads along x make 640: index 640 is the first", ""},
           {"values[512] was not written", 1000, shape({2, 1, 1}, {256, 1, 1}),
            "2 blocks of 256 threads along x make 512: index 512 is the first", ""},
           {"values[65536] is wrong", 65540, shape({128, 1, 1}, {256, 1, 1}),
            "65540 / 32768 threads, rounded down, is 2: the 4 elements that remain, from index 65536 on", ""},
           {"values[0] is wrong", 512, shape({128, 1, 1}, {256, 1, 1}),
            "a share of 512 / 32768, rounded down, is 0", ""},
           {"values[100] is wrong", 1000, shape({2, 1, 1}, {256, 1, 1}), "", ""},
           {"the sum is wrong (n = 512)", 1000, shape({2, 1, 1}, {256, 1, 1}), "", ""},
           {"values[0] is wrong", 512, shape({2, 1, 1}, {256, 1, 1}), "", ""}}) {
    const Unreached found = why_unreached(row.message, row.n, std::vector{row.launch});
    EXPECT_EQ(found.why.empty(), row.why.empty()) << row.message << ": " << found.why;
    EXPECT_THAT(found.why, HasSubstr(row.why)) << row.message;
    EXPECT_EQ(found.dimension, row.dimension) << row.message;
  }
}

}  // namespace
}  // namespace warpmark::judge
