#include "harness/bench/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/bench_fixture.h"

namespace warpmark::bench {
namespace {

using testing::AllOf;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class Climb : public FakeBench {
 protected:
  [[nodiscard]] std::vector<LadderSeries> climb(const std::vector<std::string>& behaviours) const {
    return whole_climb(behaviours).series;
  }
  // A climb from 2^4 to 2^6 values of versions that behave as they are called.
  [[nodiscard]] LadderRun whole_climb(const std::vector<std::string>& behaviours) const {
    auto watch = timer(behaviours);
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < behaviours.size(); ++i) candidates.push_back({behaviours[i], "int", "", i});
    return run_ladder(plan, *reduction, candidates, {behaviours.empty() ? nullptr : &watch, nullptr},
                      [](const auto&) {});
  }
  // The same of C++ versions on the CPU, without a GPU.
  [[nodiscard]] std::vector<LadderSeries> climb_on_the_cpu(const std::vector<std::string>& behaviours) const {
    auto watch = timer(behaviours);
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < behaviours.size(); ++i) {
      Candidate candidate{behaviours[i], "int", "", i};
      candidate.engine = Engine::host;
      candidate.way = i == 0 ? kOneCore : kThreads;
      candidates.push_back(candidate);
    }
    return run_ladder(plan, *reduction, candidates, {nullptr, &watch}, [](const auto&) {}).series;
  }

  LadderPlan plan{{16, 32, 64}, "int", 600, 1 << 20, seconds_now};
};

TEST_F(Climb, times_every_version_at_every_size) {
  const auto series = climb({"time:2.0", "time:0.5"});
  ASSERT_THAT(series, SizeIs(2));
  EXPECT_EQ(series[1].name, "time:0.5");
  EXPECT_FALSE(series[1].cpu);
  ASSERT_THAT(series[1].times, SizeIs(3));
  for (const LadderTime& time : series[1].times) {
    EXPECT_EQ(time.median_ms, 0.5);
    EXPECT_EQ(time.low_ms, 0.5);
    EXPECT_EQ(time.high_ms, 0.5);
    EXPECT_GE(time.samples, 12U);
    EXPECT_THAT(time.note, IsEmpty());
  }
}

TEST_F(Climb, drops_a_wrong_version_and_says_why_while_the_others_go_on) {
  const auto series = climb({"half", "time:1.0", "crashes"});
  EXPECT_EQ(series[0].times[0].samples, 0U);
  for (const LadderTime& time : series[0].times) EXPECT_THAT(time.note, StartsWith("wrong_when_timed: "));
  for (const LadderTime& time : series[2].times) EXPECT_THAT(time.note, StartsWith("crashed: "));
  for (const LadderTime& time : series[1].times) EXPECT_EQ(time.median_ms, 1.0);
}

TEST_F(Climb, waits_a_quarter_of_its_time_for_a_call_that_never_ends) {
  plan.seconds = 10;
  const auto series = climb({"never_ends", "time:1.0"});
  EXPECT_THAT(series[0].times[0].note, AllOf(StartsWith("timed_out: "), HasSubstr("within 2.")));
  EXPECT_EQ(series[1].times[2].median_ms, 1.0);
}

TEST_F(Climb, skips_a_version_once_it_is_hopeless) {
  const auto series = climb({"time:200.0"});
  EXPECT_EQ(series[0].times[0].median_ms, 200.0);
  EXPECT_EQ(series[0].times[1].samples, 0U);
  EXPECT_THAT(series[0].times[1].note, AllOf(StartsWith("skipped"), HasSubstr("400 ms")));
  EXPECT_EQ(series[0].times[2].samples, 0U);
}

TEST_F(Climb, says_what_kept_a_version_from_being_built) {
  auto watch = timer({});
  const auto run = run_ladder(plan, *reduction, {{"v", "int", "compile_error", {}}}, {&watch, nullptr},
                              [](const auto&) {});
  EXPECT_EQ(run.series.at(0).times.at(0).note, "compile_error");
}

TEST_F(Climb, leaves_out_sizes_that_do_not_fit_into_memory) {
  plan.largest_bytes = 128;  // 32 values
  const auto series = climb({"time:1.0"});
  EXPECT_GT(series[0].times[1].samples, 0U);
  EXPECT_EQ(series[0].times[2].samples, 0U);
  EXPECT_THAT(series[0].times[2].note, HasSubstr("memory"));
}

TEST_F(Climb, times_versions_on_the_cpu_without_a_gpu) {
  const auto series = climb_on_the_cpu({"time:2.0", "time:1.0"});
  ASSERT_THAT(series, SizeIs(2));
  EXPECT_EQ(series[0].way, kOneCore);
  EXPECT_EQ(series[1].way, kThreads);
  for (const LadderSeries& one : series) {
    EXPECT_TRUE(one.cpu);
    for (const LadderTime& time : one.times) EXPECT_GT(time.median_ms, 0) << one.name << ": " << time.note;
  }
}

TEST_F(Climb, says_which_way_a_version_of_the_gpu_goes) {
  EXPECT_EQ(climb({"time:1.0"}).back().way, kGpu);
}

TEST_F(Climb, times_ranks_each_number_of_them_by_a_timer_of_its_own) {
  auto watch = timer({"time:8.0"});
  auto two = timer({"time:4.0"});
  auto four = timer({"time:2.0"});
  const auto with_ranks = [](unsigned ranks, std::optional<std::size_t> crew, const std::string& obstacle) {
    Candidate candidate{"messages", "int", obstacle, crew ? std::optional<std::size_t>(0) : std::nullopt};
    candidate.engine = Engine::host;
    candidate.way = kRanks;
    candidate.ranks = ranks;
    candidate.crew = crew;
    return candidate;
  };
  Candidate alone{"alone", "int", "", 0};
  alone.engine = Engine::host;
  const std::vector<Candidate> candidates{alone, with_ranks(2, 0, ""), with_ranks(4, 1, ""),
                                          with_ranks(8, std::nullopt, "not run: too few cores")};
  const auto series =
      run_ladder(plan, *reduction, candidates, {nullptr, &watch, {&two, &four}}, [](const auto&) {}).series;
  ASSERT_THAT(series, SizeIs(4));
  EXPECT_EQ(series[0].times.back().median_ms, 8);
  EXPECT_EQ(series[1].times.back().median_ms, 4);
  EXPECT_EQ(series[2].times.back().median_ms, 2);
  EXPECT_EQ(series[1].ranks, 2U);
  EXPECT_EQ(series[2].way, kRanks);
  EXPECT_TRUE(series[2].cpu);
  EXPECT_EQ(series[3].times.back().samples, 0U);
  EXPECT_EQ(series[3].times.back().note, "not run: too few cores");
}

TEST_F(Climb, knows_what_each_size_needs_at_least) {
  const LadderRun run = whole_climb({"time:1.0"});
  ASSERT_THAT(run.work, SizeIs(3));
  EXPECT_EQ(run.work[1].n, 32U);
  EXPECT_EQ(run.work[1].bytes, 128 + 4);  // the values and their sum
  EXPECT_THAT(run.precision, IsEmpty());
}

// An assignment whose work grows faster than its size.
class Cubes final : public Assignment {
 public:
  explicit Cubes(const Assignment& sums) : sums_(sums) {}
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return sums_.data_classes(type);
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    return std::make_unique<Cube>(sums_.make(which), which.n);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return sums_.value_bytes(type);
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return sums_.wrong_answer(); }

 private:
  class Cube final : public Problem {
   public:
    Cube(std::unique_ptr<Problem> sum, std::uint64_t n) : sum_(std::move(sum)), n_(n) {}
    [[nodiscard]] std::vector<BufferSpec> buffers() const override { return sum_->buffers(); }
    [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return sum_->scalars(); }
    void fill(std::size_t buffer, std::span<std::byte> target) override { sum_->fill(buffer, target); }
    [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                                std::span<const std::byte> actual) const override {
      return sum_->check(buffer, actual);
    }
    std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
      return sum_->patch(seed, count, contents);
    }
    [[nodiscard]] Work work() const override {
      const auto n = static_cast<double>(n_);
      return {n, n * n * n, true};
    }
    [[nodiscard]] std::unique_ptr<Problem> clone() const override {
      return std::make_unique<Cube>(sum_->clone(), n_);
    }

   private:
    std::unique_ptr<Problem> sum_;
    std::uint64_t n_;
  };
  const Assignment& sums_;
};

TEST_F(Climb, predicts_times_from_the_work) {
  auto watch = timer({"time:40.0"});
  const LadderRun run =
      run_ladder(plan, Cubes(*reduction), {{"v", "int", "", 0}}, {&watch, nullptr}, [](const auto&) {});
  EXPECT_EQ(run.precision, "FP64");
  EXPECT_EQ(run.series.at(0).times.at(0).median_ms, 40.0);
  EXPECT_THAT(run.series[0].times[1].note, HasSubstr("320 ms"));
}

TEST_F(Climb, compares_the_answers_of_the_cpu_too) {
  const auto series = climb_on_the_cpu({"half"});
  EXPECT_EQ(series.at(0).times.at(0).samples, 0U);
  EXPECT_THAT(series[0].times[0].note, HasSubstr("wrong_when_timed"));
}

}  // namespace
}  // namespace warpmark::bench
