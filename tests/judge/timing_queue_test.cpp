// Which versions are timed while slow builds go on, and what is prepared for it meanwhile.
#include "harness/judge/speed/timing_queue.h"

#include <future>
#include <memory>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/speed/begun_early.h"

namespace warpmark::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Two versions that are built at once and one whose build is slow: three builds.
class SlowBuilds : public testing::Test {
 protected:
  static constexpr std::size_t kBuilds = 3;

  void begin_all() {
    for (std::size_t i = 0; i < kBuilds; ++i) queue.build_begins();
  }
  [[nodiscard]] bool only_builds_are_left() const {
    return queue.only_builds_are_left(kBuilds, [this](const std::string& name) { return is_built(name); });
  }
  [[nodiscard]] std::set<std::string> ready() const {
    return queue.ready_during_builds([this](const std::string& name) { return is_built(name); });
  }
  [[nodiscard]] bool is_built(const std::string& name) const { return built.contains(name); }

  std::set<std::string> built{"quick", "small"};
  TimingQueue queue{{"quick", "small", "slow"}};
};

TEST_F(SlowBuilds, are_all_that_is_left_once_what_is_built_is_checked_and_all_builds_have_begun) {
  queue.is_checked("quick");
  begin_all();
  EXPECT_FALSE(only_builds_are_left()) << "small is built and not checked";
  queue.is_checked("small");
  EXPECT_TRUE(only_builds_are_left());
  built.insert("slow");
  EXPECT_FALSE(only_builds_are_left()) << "slow can be checked now";
}

TEST_F(SlowBuilds, are_not_all_that_is_left_while_one_waits_for_a_core) {
  queue.is_checked("quick");
  queue.is_checked("small");
  queue.build_begins();
  queue.build_begins();
  EXPECT_FALSE(only_builds_are_left());
}

TEST_F(SlowBuilds, leave_time_for_what_is_checked) {
  EXPECT_THAT(ready(), IsEmpty());
  queue.is_checked("quick");
  EXPECT_THAT(ready(), ElementsAre("quick"));
}

TEST_F(SlowBuilds, that_are_over_leave_all_to_the_end) {
  queue.is_checked("quick");
  built.insert("slow");
  EXPECT_THAT(ready(), IsEmpty());
}

TEST_F(SlowBuilds, let_no_version_be_timed_twice) {
  EXPECT_TRUE(queue.take("quick"));
  EXPECT_FALSE(queue.take("quick"));
  EXPECT_TRUE(queue.take("slow"));
}

TEST(BegunEarly, is_made_once_and_when_it_is_needed_if_it_was_not_begun) {
  BegunEarly<int> value;
  int made = 0;
  const auto make = [&] { return ++made; };
  EXPECT_FALSE(value.has_begun());
  EXPECT_EQ(value.get(make), 1);
  EXPECT_EQ(value.get(make), 1);
  value.drop();
  EXPECT_EQ(value.get(make), 2);
}

TEST(BegunEarly, is_taken_from_the_thread_that_makes_it) {
  BegunEarly<std::unique_ptr<int>> value;
  std::promise<int> told;
  value.begin([&] { return std::make_unique<int>(told.get_future().get()); });
  EXPECT_TRUE(value.has_begun());
  told.set_value(7);
  value.wait();
  const auto never = [] { return std::make_unique<int>(0); };
  EXPECT_EQ(*value.get(never), 7);
  EXPECT_FALSE(value.has_begun());
  EXPECT_EQ(*value.get(never), 7);
}

TEST(BegunEarly, passes_on_why_it_could_not_be_made) {
  BegunEarly<int> value;
  value.begin([]() -> int { throw std::runtime_error("no library"); });
  EXPECT_THROW(value.get([] { return 0; }), std::runtime_error);
}

}  // namespace
}  // namespace warpmark::judge
