#include "harness/judge/checks/time_budget.h"

#include <string>

#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

using namespace std::chrono_literals;

class Budget : public testing::Test {
 protected:
  TimeBudget make(std::chrono::milliseconds submission, std::size_t versions, unsigned jobs = 1) {
    return TimeBudget({submission, 20s, versions, jobs}, [this] { return now; });
  }
  TimeBudget::Time now;
};

TEST_F(Budget, gives_a_call_the_rubrics_limit_while_there_is_time) {
  auto budget = make(300s, 4);
  EXPECT_EQ(budget.limit("v"), 20s);
  EXPECT_FALSE(budget.is_over("v"));
}

TEST_F(Budget, is_spread_over_the_versions_and_what_one_leaves_is_there_for_the_others) {
  auto budget = make(60s, 3);
  EXPECT_EQ(budget.share("a"), 20);
  now += 10s;
  EXPECT_EQ(budget.share("b"), 25);
  EXPECT_EQ(make(60s, 3, 3).share("a"), 60) << "all at a time";
}

TEST_F(Budget, does_not_count_the_time_that_a_version_waits) {
  auto budget = make(60s, 3);
  EXPECT_EQ(budget.share("a"), 20);
  now += 25s;
  budget.waited("a", 15s);
  EXPECT_FALSE(budget.is_over("a"));
  EXPECT_EQ(budget.left(), 50s);
  now += 10s;
  EXPECT_TRUE(budget.is_over("a"));
}

TEST_F(Budget, knows_what_is_left) {
  auto budget = make(60s, 3);
  now += 10s;
  EXPECT_EQ(budget.left(), 50s);
  now += 100s;
  EXPECT_EQ(budget.left(), 0s);
}

TEST_F(Budget, leaves_every_version_a_short_slice) {
  auto budget = make(60s, 3);
  EXPECT_EQ(budget.limit("a"), 20s);
  now += 100s;
  EXPECT_TRUE(budget.is_over("a"));
  EXPECT_EQ(budget.limit("b"), 5s);
  EXPECT_FALSE(budget.is_over("b"));
}

TEST_F(Budget, a_limit_does_not_reach_past_the_share) {
  auto budget = make(60s, 3);
  EXPECT_EQ(budget.limit("a"), 20s);
  now += 15s;
  EXPECT_EQ(budget.limit("a"), 5s);
  now += 4s;
  EXPECT_EQ(budget.limit("a"), 2s) << "but is never too short for a right call";
}

TEST_F(Budget, a_call_whose_end_was_not_waited_for_leaves_the_limit_of_the_next) {
  auto budget = make(3000s, 20);
  budget.does_not_end("a");
  EXPECT_TRUE(budget.has_timed_out("a"));
  EXPECT_FALSE(budget.has_timed_out("b"));
  EXPECT_EQ(budget.limit("b"), 20s);
}

TEST_F(Budget, calls_that_do_not_come_back_shorten_the_limit_of_the_next) {
  auto budget = make(3000s, 20);
  budget.timed_out("a");
  EXPECT_TRUE(budget.has_timed_out("a"));
  EXPECT_FALSE(budget.has_timed_out("b"));
  EXPECT_EQ(budget.limit("b"), 10s);
  for (const char* version : {"b", "c", "d", "e", "f"}) budget.timed_out(version);
  EXPECT_EQ(budget.limit("g"), 2s);
}

// Two at a time, each waiting for one call of which the limit is asked when it begins.
TEST_F(Budget, twenty_one_versions_that_never_end_take_less_than_a_minute) {
  auto budget = make(300s, 21, 2);
  auto waited = 0ms;
  for (int version = 0; version < 21; version += 2) {
    const auto limit = budget.limit(std::to_string(version));
    now += limit;
    waited += limit;
    budget.timed_out(std::to_string(version));
    budget.timed_out(std::to_string(version + 1));
  }
  EXPECT_LT(waited, 50s);
}

}  // namespace
}  // namespace warpmark::judge
