#include "harness/judge/speed/device_lock.h"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace warpmark::judge {
namespace {

using enum DeviceLock::Use;

class Locked : public testing::Test {
 protected:
  // Without waiting.
  static bool now(DeviceLock& lock, DeviceLock::Use use) {
    return lock.acquire(use, std::chrono::steady_clock::time_point::min());
  }
  const TemporaryFolder folder;
  DeviceLock one{folder.path(), "1234"};
  DeviceLock other{folder.path(), "1234"};
};

TEST_F(Locked, for_measuring_keeps_everybody_else_out) {
  ASSERT_TRUE(now(one, measuring));
  EXPECT_FALSE(now(other, measuring));
  EXPECT_FALSE(now(other, computing));
  one.release();
  EXPECT_TRUE(now(other, measuring));
}

TEST_F(Locked, for_computing_lets_others_compute_and_nobody_measure) {
  ASSERT_TRUE(now(one, computing));
  EXPECT_TRUE(now(other, computing));
  one.release();
  EXPECT_FALSE(now(one, measuring)) << "the other still computes";
  other.release();
  EXPECT_TRUE(now(one, measuring));
}

TEST_F(Locked, for_measuring_waits_for_each_use_of_its_own) {
  ASSERT_TRUE(now(one, computing));
  ASSERT_TRUE(now(one, computing));
  one.release();
  EXPECT_FALSE(now(one, measuring));
  EXPECT_FALSE(now(other, measuring));
  one.release();
  EXPECT_TRUE(now(other, measuring));
}

TEST_F(Locked, nobody_begins_to_compute_while_one_waits_to_measure) {
  ASSERT_TRUE(now(one, computing));
  bool began = true;
  const bool measures =
      other.acquire(measuring, std::chrono::steady_clock::now() + std::chrono::minutes(1), [&] {
        began = now(one, computing);  // beside its first use, which would otherwise never end for the other
        one.release();
      });
  EXPECT_TRUE(measures);
  EXPECT_FALSE(began);
  other.release();
  EXPECT_TRUE(now(one, computing));
}

TEST_F(Locked, each_device_has_its_own) {
  DeviceLock elsewhere(folder.path(), "5678");
  ASSERT_TRUE(now(one, measuring));
  EXPECT_TRUE(now(elsewhere, measuring));
}

TEST_F(Locked, a_device_without_a_name_is_free) {
  DeviceLock nameless(folder.path(), "");
  DeviceLock another(folder.path(), "");
  EXPECT_TRUE(now(nameless, measuring));
  EXPECT_TRUE(now(another, measuring));
}

TEST_F(Locked, is_given_back_at_the_end) {
  auto brief = std::make_unique<DeviceLock>(folder.path(), "1234");
  ASSERT_TRUE(now(*brief, measuring));
  brief.reset();
  EXPECT_TRUE(now(one, measuring));
}

TEST_F(Locked, says_once_that_it_waits_and_goes_on_when_the_other_lets_go) {
  ASSERT_TRUE(now(other, measuring));
  int told = 0;
  const bool got = one.acquire(measuring, std::chrono::steady_clock::now() + std::chrono::minutes(1), [&] {
    ++told;
    other.release();
  });
  EXPECT_TRUE(got);
  EXPECT_EQ(told, 1);
}

TEST_F(Locked, another_user_can_open_the_file_but_not_write_it) {
  struct stat status {};
  ASSERT_EQ(::stat((folder.path() / "warpmark-gpu-1234.lock").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0022, 0U);
  EXPECT_NE(status.st_mode & 0400, 0U);
}

}  // namespace
}  // namespace warpmark::judge
