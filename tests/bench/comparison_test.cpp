#include "harness/bench/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/bench/plan.h"

namespace warpmark::bench {
namespace {

using testing::HasSubstr;

TEST(Fight, tells_the_seconds_time_over_the_firsts) {
  const ComparedSize result = fight({[] { return 2.0; }, [] { return 3.0; }}, 0);
  EXPECT_EQ(result.rounds, kLeastRounds);
  EXPECT_DOUBLE_EQ(result.first_ms, 2);
  EXPECT_DOUBLE_EQ(result.second_ms, 3);
  EXPECT_NEAR(result.ratio, 1.5, 1e-12);
  EXPECT_NEAR(result.low, 1.5, 1e-12);
  EXPECT_NEAR(result.high, 1.5, 1e-12);
}

TEST(Fight, a_drift_of_the_machine_meets_both_alike) {
  double now = 1;
  const auto call = [&] { return now *= 1.01; };
  EXPECT_NEAR(fight({call, call}, 0).ratio, 1, 1e-12);
}

TEST(Fight, does_not_count_the_first_round) {
  int calls = 0;
  const auto first = [&] { return ++calls <= 2 ? 1000.0 : 2.0; };
  const ComparedSize result = fight({first, [] { return 2.0; }}, 0);
  EXPECT_NEAR(result.low, 1, 1e-12);
  EXPECT_NEAR(result.high, 1, 1e-12);
}

TEST(Fight, a_wrong_answer_ends_it_with_its_cause) {
  const auto wrong = []() -> tl::expected<double, Cause> {
    return tl::unexpected(make_cause(CauseKind::wrong_when_timed, "3 instead of 4"));
  };
  const ComparedSize result = fight({[] { return 1.0; }, wrong}, 0);
  EXPECT_EQ(result.rounds, 0U);
  EXPECT_THAT(result.note, HasSubstr("wrong_when_timed: 3 instead of 4"));
}

}  // namespace
}  // namespace warpmark::bench
