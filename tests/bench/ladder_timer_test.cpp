#include "harness/bench/ladder_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/bench_fixture.h"

namespace warpmark::bench {
namespace {

using testing::HasSubstr;

class Timing : public FakeBench {
 protected:
  // What the call of one behaviour costs, or its cause.
  [[nodiscard]] tl::expected<double, Cause> timed(const std::string& behaviour) const {
    auto watch = timer({behaviour});
    Input values = input();
    if (const auto put = watch.put(values); !put) return tl::unexpected(put.error());
    static_cast<void>(watch.time(0));
    return watch.time(0);
  }
};

TEST_F(Timing, returns_the_time_by_the_workers_events) {
  EXPECT_EQ(timed("time:2.5").value_or(-1), 2.5);
}

TEST_F(Timing, holds_many_versions_in_one_worker) {
  auto watch = timer({"time:1.5", "time:3.0"});
  Input values = input(77, 1);
  ASSERT_TRUE(watch.put(values));
  EXPECT_EQ(watch.time(1).value_or(-1), 3.0);
  EXPECT_EQ(watch.time(0).value_or(-1), 1.5);
}

TEST_F(Timing, needs_an_input) {
  auto watch = timer({"time:1"});
  EXPECT_EQ(watch.time(0).error().kind, CauseKind::internal);
}

class WrongAnswers : public Timing, public testing::WithParamInterface<const char*> {};

TEST_P(WrongAnswers, have_no_time) {
  const auto time = timed(GetParam());
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().kind, CauseKind::wrong_when_timed);
  EXPECT_THAT(time.error().message, HasSubstr("instead of"));
}

INSTANTIATE_TEST_SUITE_P(Versions, WrongAnswers, testing::Values("zero", "half", "replays", "never_writes"));

// "by_sweep" is wrong whenever L2 was swept before the call.
TEST_F(Timing, sweeps_l2_where_the_input_is_larger) {
  auto watch = timer({"by_sweep"});
  Input small = input();
  ASSERT_TRUE(watch.put(small));
  ASSERT_GT(watch.l2_bytes(), small.bytes());
  EXPECT_TRUE(watch.time(0));
  Input large = input(watch.l2_bytes() / sizeof(int) + 1);
  ASSERT_TRUE(watch.put(large));
  EXPECT_FALSE(watch.time(0));
}

class OddTimes : public Timing, public testing::WithParamInterface<const char*> {};

TEST_P(OddTimes, are_no_times) {
  const auto time = timed(std::string("time:") + GetParam());
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().kind, CauseKind::tampering);
}

INSTANTIATE_TEST_SUITE_P(Times, OddTimes, testing::Values("0", "-1.0", "null", "\"1\"", "[1]"));

TEST_F(Timing, waits_for_a_call_no_longer_than_it_is_told_to) {
  auto watch = timer({"never_ends", "time:3.0"});
  watch.wait_for(std::chrono::milliseconds(250));
  Input values = input();
  ASSERT_TRUE(watch.put(values));
  const auto time = watch.time(0);
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().kind, CauseKind::timed_out);
  EXPECT_THAT(time.error().message, HasSubstr("within 0.25 s"));
  watch.wait_for(std::chrono::hours(1));
  EXPECT_EQ(watch.time(1).value_or(-1), 3.0);
}

TEST_F(Timing, goes_on_after_a_version_that_kills_the_worker_or_breaks_its_device) {
  auto watch = timer({"crashes", "cuda_error", "time:3.0"});
  Input values = input();
  ASSERT_TRUE(watch.put(values));
  EXPECT_EQ(watch.time(2).value_or(-1), 3.0);
  EXPECT_EQ(watch.time(0).error().kind, CauseKind::crashed);
  EXPECT_EQ(watch.time(2).value_or(-1), 3.0);
  EXPECT_EQ(watch.time(1).error().kind, CauseKind::cuda_error);
  EXPECT_EQ(watch.time(2).value_or(-1), 3.0);
}

}  // namespace
}  // namespace warpmark::bench
