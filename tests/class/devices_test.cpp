#include "harness/class/run/devices.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::classroom {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DeviceNames, are_cudas_numbers_or_what_the_variable_lists) {
  EXPECT_THAT(device_names(3, ""), ElementsAre("0", "1", "2"));
  EXPECT_THAT(device_names(2, "3,GPU-4f2"), ElementsAre("3", "GPU-4f2"));
  EXPECT_THAT(device_names(1, "3,9"), ElementsAre("3"));  // CUDA sees the first of them alone
  EXPECT_THAT(device_names(0, ""), IsEmpty());
}

TEST(DevicePool, spreads_the_students_over_all_devices) {
  DevicePool pool({"0", "1", "2"});
  std::map<std::string, int> users;
  {
    const auto a = pool.take();
    const auto b = pool.take();
    const auto c = pool.take();
    for (const auto* place : {&a, &b, &c}) ++users[place->name()];
  }
  EXPECT_EQ(users, (std::map<std::string, int>{{"0", 1}, {"1", 1}, {"2", 1}}));
  const auto first = pool.take();
  {
    const auto second = pool.take();
    EXPECT_NE(second.name(), first.name());
  }
  const auto third = pool.take();
  EXPECT_NE(third.name(), first.name());
}

TEST(DevicePool, without_devices_names_none) {
  DevicePool pool({});
  EXPECT_EQ(pool.take().name(), "");
}

}  // namespace
}  // namespace warpmark::classroom
