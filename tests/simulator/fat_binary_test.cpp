#include "harness/simulator/both/fat_binary.h"

#include <gtest/gtest.h>

namespace warpmark::simulator {
namespace {

TEST(FatBinary, comes_back_as_it_went_in) {
  const auto images = unpack(pack({.checking = "one\ntwo", .counting = ""}).c_str());
  ASSERT_TRUE(images);
  EXPECT_EQ(images->checking, "one\ntwo");
  EXPECT_EQ(images->counting, "");
}

TEST(FatBinary, refuses_what_is_not_its_own) {
  EXPECT_FALSE(unpack(""));
  EXPECT_FALSE(unpack("\x50\xed\x55\xba"));
  EXPECT_FALSE(unpack("warpmark-fat-binary/1\n"));
  EXPECT_FALSE(unpack("warpmark-fat-binary/1\nO0 x\n"));
  EXPECT_FALSE(unpack("warpmark-fat-binary/1\nO0 3\nabcO1 2\n"));
}

}  // namespace
}  // namespace warpmark::simulator
