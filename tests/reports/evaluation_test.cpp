#include "reports/ladder_pages/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports.h"
#include "tests/reports/well_formed.h"

namespace warpmark::evaluation_tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

LadderTime time_of(std::uint64_t n, double median) {
  LadderTime time;
  time.n = n;
  time.samples = 12;
  time.median_ms = median;
  time.low_ms = 0.9 * median;
  time.high_ms = 1.1 * median;
  return time;
}

LadderSeries series(std::string name, std::string_view way, std::vector<double> medians, unsigned ranks = 0) {
  LadderSeries one{std::move(name), way != kGpu && way != kGpus, {}, std::string(way), ranks};
  std::uint64_t n = 1 << 20;
  for (const double median : medians) {
    one.times.push_back(time_of(n, median));
    n *= 4;
  }
  return one;
}

// A product of matrices on every way.
Ladder sample() {
  Ladder ladder;
  ladder.assignment = "matmul";
  ladder.submission = "reference/matmul";
  ladder.type = "float";
  ladder.value_bytes = 4;
  ladder.setting.gpu = "NVIDIA H200";
  ladder.setting.cpu = "AMD EPYC 9554";
  ladder.setting.cpu_threads = 16;
  ladder.setting.peak_gb_per_s = 4800;
  ladder.setting.peak_gflops = 66'908;
  ladder.precision = "FP32";
  ladder.work = {{1 << 20, 12 << 20, 2.147e9}, {1 << 22, 48 << 20, 17.18e9}};
  ladder.series = {series("cpu_one_thread", kOneCore, {200, 1600}),
                   series("cpu_threads", kThreads, {20, 160}),
                   series("k03_mpi", kRanks, {210, 1700}, 1),
                   series("k03_mpi", kRanks, {110, 900}, 2),
                   series("k03_mpi", kRanks, {60, 500}, 4),
                   series("m01_naive", kGpu, {1.5, 12}),
                   series("m07_peak", kGpu, {0.1, 0.5}),
                   series("k07_multi", kGpus, {0.09, 0.3}, 2)};
  ladder.add_rates();
  return ladder;
}

std::vector<std::string> titles(const Ladder& ladder) {
  std::vector<std::string> found;
  for (const EvaluationWay& way : ways_of(ladder)) found.push_back(title_of(way));
  return found;
}

TEST(Evaluation, takes_the_fastest_of_each_way_in_the_order_of_a_course) {
  EXPECT_THAT(titles(sample()),
              ElementsAre("one core: cpu_one_thread", "16 threads: cpu_threads", "MPI, 1 rank: k03_mpi",
                          "MPI, 2 ranks: k03_mpi", "MPI, 4 ranks: k03_mpi", "GPU: m07_peak",
                          "MPI, 2 GPUs: k07_multi"));
}

TEST(Evaluation, tells_several_gpus_apart_by_their_number) {
  Ladder ladder = sample();
  ladder.series.push_back(series("k07_multi", kGpus, {0.17, 0.5}, 1));
  ladder.series.push_back(series("peers", kGpus, {0.1, 0.4}));
  const auto all = titles(ladder);
  EXPECT_THAT(std::vector(all.end() - 3, all.end()),
              ElementsAre("several GPUs: peers", "MPI, 1 GPU: k07_multi", "MPI, 2 GPUs: k07_multi"));
}

TEST(Evaluation, draws_a_line_a_way_over_time_and_over_speedup) {
  const Ladder ladder = sample();
  const auto ways = ways_of(ladder);
  EXPECT_THAT(plot_evaluation_time(ladder, ways).lines, SizeIs(7));
  const auto speedup = plot_evaluation_speedup(ladder, ways);
  ASSERT_TRUE(speedup);
  ASSERT_THAT(speedup->lines, SizeIs(6)) << "one core is what the others are set against";
  const PlotLine& gpu = speedup->lines[4];
  EXPECT_EQ(gpu.label, "GPU");
  EXPECT_DOUBLE_EQ(gpu.points.back().y, 1600 / 0.5);
  EXPECT_EQ(speedup->y, ScaleKind::log10);
}

TEST(Evaluation, gives_a_way_the_same_colour_in_both_pictures) {
  const Ladder ladder = sample();
  const auto ways = ways_of(ladder);
  const auto time = plot_evaluation_time(ladder, ways);
  const auto speedup = plot_evaluation_speedup(ladder, ways);
  EXPECT_EQ(time.lines.back().ink, speedup->lines.back().ink);
}

TEST(Evaluation, says_the_figures_to_who_cannot_see_the_picture) {
  const Ladder ladder = sample();
  const auto ways = ways_of(ladder);
  EXPECT_THAT(plot_evaluation_time(ladder, ways).description,
              AllOf(HasSubstr("one core 1.6 s at 2^22"), HasSubstr("GPU 500 \u00B5s at 2^22")));
  EXPECT_THAT(plot_evaluation_speedup(ladder, ways)->description, HasSubstr("GPU 3200 times at 2^22"));
}

TEST(Evaluation, names_what_this_machine_lacks) {
  Ladder ladder = sample();
  ladder.setting.gpu.clear();
  ladder.missing = {{std::string(kGpu), "no CUDA device (none reported)"}};
  ladder.series.resize(2);
  const auto ways = ways_of(ladder);
  ASSERT_THAT(ways, SizeIs(5));
  EXPECT_EQ(ways[2].name, "MPI");
  EXPECT_EQ(ways[2].missing, "matmul has no such version");
  EXPECT_EQ(ways[3].missing, "not run: no CUDA device (none reported)");
  const std::string page = evaluation_html(ladder);
  EXPECT_EQ(parse_document(page).error, "");
  EXPECT_THAT(page, AllOf(HasSubstr("not run: no CUDA device (none reported)"), HasSubstr("AMD EPYC 9554")));
}

TEST(Evaluation, tells_what_was_said_of_a_version_without_a_time) {
  Ladder ladder = sample();
  for (LadderSeries& one : ladder.series) {
    if (one.way != kThreads) continue;
    for (LadderTime& time : one.times) {
      time.samples = 0;
      time.note = "wrong_when_timed: 3 instead of 4";
    }
  }
  EXPECT_EQ(ways_of(ladder)[1].missing, "cpu_threads: wrong_when_timed: 3 instead of 4");
}

TEST(Evaluation, tells_which_sizes_of_a_way_were_left_out) {
  Ladder ladder = sample();
  for (LadderSeries& one : ladder.series) {
    if (one.way != kOneCore) continue;
    one.times.back().samples = 0;
    one.times.back().note = "skipped: no time is left";
  }
  const std::string why = "skipped: no time is left";
  EXPECT_THAT(ways_of(ladder)[0].missing, AllOf(HasSubstr(why), HasSubstr(" values on)")));
  EXPECT_THAT(evaluation_html(ladder), HasSubstr(why));
  EXPECT_THAT(evaluation_console(ladder, {false, 200}), HasSubstr(why));
  EXPECT_EQ(ways_of(sample())[0].missing, "");
}

TEST(Evaluation, sets_ways_against_the_first_version_where_one_core_has_no_time) {
  Ladder ladder = sample();
  ladder.series.erase(ladder.series.begin());
  EXPECT_EQ(evaluation_base(ladder, ways_of(ladder))->name, "m01_naive");
  ladder.series.clear();
  EXPECT_EQ(evaluation_base(ladder, ways_of(ladder)), nullptr);
  EXPECT_EQ(parse_document(evaluation_html(ladder)).error, "");
}

TEST(EvaluationPage, holds_two_pictures_and_the_table_behind_them) {
  const std::string page = evaluation_html(sample());
  const Document document = parse_document(page);
  ASSERT_EQ(document.error, "");
  EXPECT_THAT(document.named("svg"), SizeIs(2));
  EXPECT_THAT(document.named("script"), IsEmpty());
  EXPECT_THAT(page,
              AllOf(HasSubstr("GPU: m07_peak: 3200 times as fast as cpu_one_thread at 2\u00B2\u00B2"),
                    HasSubstr("NVIDIA H200"), HasSubstr("MPI, 2 GPUs, times"), HasSubstr("GFLOP&#x2F;s")));
}

TEST(EvaluationPage, says_the_same_on_a_terminal) {
  EXPECT_THAT(evaluation_console(sample(), {}),
              AllOf(HasSubstr("GPU: m07_peak: 3200 times as fast"), Not(HasSubstr("\033"))));
}

TEST(LadderRates, are_operations_a_second_where_the_work_is_arithmetic) {
  const Ladder ladder = sample();
  const LadderTime& peak = ladder.series[6].times[1];
  EXPECT_NEAR(peak.gflops, 34'360, 1);
  EXPECT_NEAR(peak.percent_of_peak, 51.35, 0.01);
  EXPECT_EQ(ladder.series[0].times[1].percent_of_peak, 0) << "the CPU has no peak here";
  EXPECT_THAT(to_console(ladder, {}), AllOf(HasSubstr("GFLOP/s"), HasSubstr("51.4 %")));
  EXPECT_THAT(to_markdown(ladder), HasSubstr("GFLOP/s at 2^22"));
  EXPECT_THAT(to_html(ladder), HasSubstr("FP32's peak, 66,908 GFLOP/s"));
}

TEST(LadderRates, are_held_against_the_memory_where_that_binds) {
  Ladder ladder = sample();
  ladder.work[0].operations = 1e6;
  ladder.add_rates();
  EXPECT_NEAR(ladder.series[6].times[0].percent_of_peak, 100 * (12 << 20) / 1e6 / 0.1 / 4800, 1e-6);
}

TEST(LadderRates, work_and_ways_are_read_back_as_they_were_written) {
  Ladder ladder = sample();
  ladder.missing = {{std::string(kGpus), "one CUDA device, and two are asked"}};
  const auto back = ladder_from_json(to_json(ladder));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), to_json(ladder));
  EXPECT_EQ(back->series[2].ranks, 1U);
  EXPECT_EQ(back->series[2].way, kRanks);
}

TEST(LadderText, a_readme_gets_a_place_for_the_table_once) {
  const std::string once = with_place_for_ladder("# Matmul\n");
  EXPECT_THAT(once, HasSubstr("<!-- ladder -->\n<!-- /ladder -->"));
  EXPECT_EQ(with_place_for_ladder(once), once);
}

}  // namespace
}  // namespace warpmark::evaluation_tests
