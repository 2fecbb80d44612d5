#include "harness/bench/budget.h"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/bench/ladder.h"
#include "tests/bench/bench_fixture.h"

namespace warpmark::bench {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;

TEST(Trend, grows_as_it_did_but_no_slower_than_the_size_and_no_faster_than_its_square) {
  Trend trend;
  EXPECT_EQ(trend.at(100), 0);
  trend.add(10, 2);
  EXPECT_DOUBLE_EQ(trend.at(40), 8);
  trend.add(20, 6);
  EXPECT_DOUBLE_EQ(trend.at(40), 18);
  trend.add(40, 600);
  EXPECT_DOUBLE_EQ(trend.at(80), 2400);
  trend.add(80, 500);
  EXPECT_DOUBLE_EQ(trend.at(160), 1000);
}

TEST(SizesWithin, are_all_where_there_is_time) {
  EXPECT_THAT(sizes_within({{1, 2}, {3, 4}}, {1, 1}, 12), ElementsAre(2, 2));
  EXPECT_THAT(sizes_within({}, {}, 0), IsEmpty());
}

TEST(SizesWithin, lack_the_dearest_ones_first) {
  EXPECT_THAT(sizes_within({{1, 2, 4}, {10, 20, 40}}, {0, 0, 0}, 40), ElementsAre(3, 2));
  EXPECT_THAT(sizes_within({{1, 2, 4}, {10, 20, 40}}, {0, 0, 0}, 20), ElementsAre(3, 1));
  EXPECT_THAT(sizes_within({{1, 2, 4}, {10, 20, 40}}, {0, 0, 0}, 5), ElementsAre(2, 0));
  EXPECT_THAT(sizes_within({{1, 2, 4}, {10, 20, 40}}, {0, 0, 0}, 0), ElementsAre(0, 0));
}

TEST(SizesWithin, end_where_what_all_share_is_too_dear) {
  EXPECT_THAT(sizes_within({{1, 1, 1}, {1, 1, 1}}, {1, 10, 100}, 20), ElementsAre(2, 2));
}

TEST(DroppedToFit, are_the_dearest) {
  EXPECT_THAT(dropped_to_fit({1, 8, 4}, 13), ElementsAre(false, false, false));
  EXPECT_THAT(dropped_to_fit({1, 8, 4}, 5), ElementsAre(false, true, false));
  EXPECT_THAT(dropped_to_fit({1, 8, 4}, -1), ElementsAre(true, true, true));
}

// Seconds that inputs take; calls go on by the fake clock.
double passed = 0;

// Sums whose inputs take their time.
class SlowInputs final : public Assignment {
 public:
  SlowInputs(const Assignment& sums, double seconds_a_value)
      : sums_(sums), seconds_a_value_(seconds_a_value) {}
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return sums_.data_classes(type);
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    passed += seconds_a_value_ * static_cast<double>(which.n);
    return sums_.make(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return sums_.value_bytes(type);
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return sums_.wrong_answer(); }

 private:
  const Assignment& sums_;
  double seconds_a_value_;
};

class Budget : public FakeBench {
 protected:
  // From 2^4 to 2^15 values.
  [[nodiscard]] std::vector<LadderSeries> climb(double seconds, double seconds_an_input_value = 0) {
    passed = 0;
    const double begin = fake.clock_ms();
    const auto now = [&] { return passed + (fake.clock_ms() - begin) / 1e3; };
    LadderPlan plan{{}, "int", seconds, std::numeric_limits<std::uint64_t>::max(), now};
    for (std::uint64_t n = 16; n <= 32768; n *= 2) plan.sizes.push_back(n);
    const SlowInputs assignment(*reduction, seconds_an_input_value);
    auto watch = timer({"a_value:4e-3", "a_value:4e-5"});
    auto series = run_ladder(plan, assignment, {{"slow", "int", "", 0}, {"quick", "int", "", 1}}, {&watch},
                             [this](const std::string& line) { lines.push_back(line); })
                      .series;
    spent = now();
    return series;
  }
  // How many sizes have a time; those are the smallest.
  static std::ptrdiff_t timed(const LadderSeries& series) {
    const auto none = std::ranges::find(series.times, 0U, &LadderTime::samples);
    EXPECT_TRUE(std::all_of(none, series.times.end(), [](const LadderTime& time) {
      return time.samples == 0 && !time.note.empty();
    })) << series.name;
    return none - series.times.begin();
  }

  std::vector<std::string> lines;
  double spent = 0;  // seconds of the last climb
};

// Without a budget the least number of rounds takes 3.5 seconds.
TEST_F(Budget, is_kept_by_giving_up_large_sizes_of_slow_versions) {
  const auto series = climb(1);
  EXPECT_THAT(spent, AllOf(Gt(0.5), Le(1.25)));
  EXPECT_THAT(timed(series[0]), AllOf(Gt(6), Le(11)));
  EXPECT_EQ(timed(series[1]), 12);
  EXPECT_THAT(series[0].times.back().note,
              AllOf(HasSubstr("13 calls"), HasSubstr("left of the 1 s of"), HasSubstr("--seconds")));
  EXPECT_THAT(lines, testing::Contains(AllOf(HasSubstr("slow from "), HasSubstr("skipped"))));
}

TEST_F(Budget, is_kept_whatever_is_asked) {
  for (const double seconds : {0.05, 0.6, 3.0, 10.0}) {
    for (const double input : {0.0, 1e-5, 1e-4}) {
      const auto series = climb(seconds, input);
      EXPECT_LE(spent, 1.25 * seconds) << seconds << " " << input;
      EXPECT_GE(timed(series[1]), timed(series[0])) << seconds << " " << input;
    }
  }
}

TEST_F(Budget, leaves_nothing_out_where_it_is_large_enough) {
  const auto series = climb(20, 1e-5);
  EXPECT_EQ(timed(series[0]), 12);
  EXPECT_EQ(timed(series[1]), 12);
  EXPECT_LE(spent, 20);
}

TEST_F(Budget, is_spent_on_inputs_too) {
  const auto series = climb(1, 1e-4);
  EXPECT_LE(spent, 1.25);
  EXPECT_THAT(timed(series[1]), AllOf(Gt(4), Le(10)));
}

TEST_F(Budget, is_not_kept_by_the_smallest_size) {
  const auto series = climb(1e-9);
  EXPECT_EQ(timed(series[0]), 1);
  EXPECT_EQ(timed(series[1]), 1);
  EXPECT_EQ(series[0].times[1].note,
            "skipped: the 1e-09 s of --seconds were used up; a larger value measures more");
  EXPECT_THAT(lines, testing::Contains("nothing is left to measure after 32 values"));
}

}  // namespace
}  // namespace warpmark::bench
