#include "harness/simulator/both/fat_binary.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/simulator/program/fat_binary_wrapper.h"

namespace warpmark::simulator {
namespace {

TEST(FatBinary, comes_back_as_it_went_in) {
  const auto images = unpack(pack({.checking = "one\ntwo", .counting = ""}));
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

TEST(FatBinary, refuses_lengths_that_exceed_it) {
  const std::string whole = pack({.checking = "abc", .counting = "de"});
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    EXPECT_FALSE(unpack(whole.substr(0, bytes))) << bytes;
  EXPECT_FALSE(unpack("warpmark-fat-binary/1\nO0 3\nabcO2 18446744073709551615\nde"));
}

TEST(FatBinary, gives_the_images_before_the_first_that_is_cut) {
  const std::string whole = pack({.checking = "abc", .counting = "de"});
  EXPECT_THAT(images_in(std::string_view(whole).substr(0, whole.size() - 1)), testing::ElementsAre("abc"));
}

// The layout that clang's registration constructor passes.
struct Wrapper {
  int magic = 0x466243b1;
  int version = 1;
  const char* data;
  void* unused = nullptr;
};

TEST(FatBinary, is_read_only_where_a_loaded_object_holds_it) {
  static constexpr char kHeld[] = "warpmark-fat-binary/1\nO0 3\nabcO2 2\nde";
  const Wrapper held{.data = kHeld};
  EXPECT_EQ(images_in(static_cast<const void*>(&held)).checking, "abc");
  static constexpr char kLying[] = "warpmark-fat-binary/1\nO0 3\nabcO2 1000000000000\nde";
  const Wrapper lying{.data = kLying};
  EXPECT_EQ(images_in(static_cast<const void*>(&lying)).checking, "");
  const std::string copy = kHeld;
  const Wrapper elsewhere{.data = copy.c_str()};
  EXPECT_EQ(images_in(static_cast<const void*>(&elsewhere)).checking, "");
}

}  // namespace
}  // namespace warpmark::simulator
