#include "harness/model/ladder.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/ladder_pages/ladder_plots.h"
#include "reports/ladder_pages/ladder_table.h"
#include "reports/reports.h"
#include "tests/reports/well_formed.h"

namespace warpmark::ladder_tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::uint64_t kMega = 1 << 20;
constexpr std::uint64_t kLarge = 1 << 24;

LadderTime time_of(std::uint64_t n, double median) {
  LadderTime time;
  time.n = n;
  time.samples = 25;
  time.median_ms = median;
  time.low_ms = 0.99 * median;
  time.high_ms = 1.02 * median;
  return time;
}

LadderTime without_samples(std::uint64_t n, std::string note) {
  LadderTime time;
  time.n = n;
  time.note = std::move(note);
  return time;
}

Ladder sample() {
  Ladder ladder;
  ladder.assignment = "reduction";
  ladder.submission = "reference/reduction";
  ladder.type = "int";
  ladder.value_bytes = 4;
  ladder.confidence = 0.999;
  ladder.setting = {"2026-11-21 11:40", "NVIDIA H200", "580.95.05", "nvcc 13.0", "AMD EPYC 9554", 16, 4814,
                    50U << 20,          "0.1.0",       97};
  const auto series = [](const char* name, bool cpu, std::vector<LadderTime> times) {
    return LadderSeries{name, cpu, std::move(times), "", 0};
  };
  ladder.series = {
      series("cpu_one_thread", true, {time_of(kMega, 0.25), time_of(kLarge, 5)}),
      series("v01_atomic_per_element", false, {time_of(kMega, 0.03), time_of(kLarge, 0.4)}),
      series("v02_atomic_per_thread", false,
             {time_of(kMega, 0.0117), without_samples(kLarge, "wrong_when_timed: 3 instead of 4")}),
      series("v21_peak", false, {time_of(kMega, 0.006), time_of(kLarge, 0.0200)})};
  LadderTime& wide = ladder.series[0].times[0];
  wide.low_ms = 0.2425;
  wide.high_ms = 0.2575;
  ladder.add_rates();
  return ladder;
}

TEST(LadderJson, is_read_back_as_it_was_written) {
  const Ladder ladder = sample();
  const auto back = ladder_from_json(to_json(ladder));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), to_json(ladder));
  EXPECT_EQ(back->setting.driver, "580.95.05");
  EXPECT_EQ(back->series.at(2).times.at(1).note, "wrong_when_timed: 3 instead of 4");
  EXPECT_EQ(back->series.at(2).at(kLarge), nullptr);
  EXPECT_DOUBLE_EQ(back->series.at(0).at(kMega)->median_ms, 0.25);
}

TEST(LadderJson, holds_rates_for_whoever_reads_the_file) {
  EXPECT_THAT(to_json(sample()),
              AllOf(HasSubstr("\"schema\": \"warpmark.ladder/1\""), HasSubstr("\"gb_per_s\":3355.44"),
                    HasSubstr("\"percent_of_peak\":69.7018")));
}

TEST(LadderJson, refuses_what_is_no_ladder) {
  EXPECT_THAT(ladder_from_json("{\"schema\": \"warpmark.grade/1\"}").error().message,
              HasSubstr("warpmark.grade/1"));
  EXPECT_THAT(ladder_from_json("{").error().message, HasSubstr("not JSON"));
  EXPECT_THAT(ladder_from_json("{\"schema\": \"warpmark.ladder/1\"}").error().message,
              HasSubstr("assignment"));
}

TEST(LadderJson, names_the_member_that_is_missing_or_of_the_wrong_kind) {
  nlohmann::json file = nlohmann::json::parse(to_json(sample()));
  file["series"][1]["times"][0]["median_ms"] = "fast";
  EXPECT_THAT(ladder_from_json(file.dump()).error().message,
              HasSubstr("series[1].times[0].median_ms is \"fast\", must be a number"));
  file["series"][1]["times"][0].erase("median_ms");
  EXPECT_THAT(ladder_from_json(file.dump()).error().message,
              HasSubstr("series[1].times[0].median_ms is missing"));
}

TEST(LadderModel, knows_baseline_fastest_and_ratios) {
  const Ladder ladder = sample();
  EXPECT_EQ(ladder.baseline()->name, "v01_atomic_per_element");
  EXPECT_EQ(ladder.fastest(false)->name, "v21_peak");
  EXPECT_EQ(ladder.fastest(true)->name, "cpu_one_thread");
  EXPECT_NEAR(*times_as_fast(ladder.series[3], ladder.series[1], kLarge), 20, 1e-9);
  EXPECT_FALSE(times_as_fast(ladder.series[2], ladder.series[1], kLarge));
  EXPECT_EQ(Ladder{}.baseline(), nullptr);
  EXPECT_EQ(Ladder{}.fastest(true), nullptr);
}

TEST(LadderTable, shows_times_rate_peak_and_speedup) {
  const LadderTable table = table_of(sample());
  EXPECT_THAT(table.sizes, ElementsAre(kMega, kLarge));
  EXPECT_EQ(table.baseline, "v01_atomic_per_element");
  ASSERT_THAT(table.rows, SizeIs(4));
  EXPECT_THAT(table.rows[3].times, ElementsAre("0.006", "0.02"));
  EXPECT_EQ(table.rows[3].rate, "3355");
  EXPECT_EQ(table.rows[3].of_peak, "69.7");
  EXPECT_EQ(table.rows[3].speedup, "20");
  EXPECT_EQ(table.rows[0].of_peak, "");
  EXPECT_NEAR(table.widest_gpu, 2, 1e-9);
  EXPECT_NEAR(table.widest_cpu, 3, 1e-9);
}

TEST(LadderTable, says_why_a_time_is_missing) {
  const LadderTable table = table_of(sample());
  EXPECT_THAT(table.rows[2].times, ElementsAre("0.0117", "-"));
  EXPECT_EQ(table.rows[2].note, "wrong_when_timed: 3 instead of 4 (from 2^24 values on)");
}

TEST(LadderTable, has_no_column_for_a_size_that_nobody_was_timed_at) {
  Ladder ladder = sample();
  for (LadderSeries& series : ladder.series) {
    series.times.clear();
    for (std::uint64_t n = kMega; n <= 16 * kMega; n *= 2) {
      series.times.push_back(n <= 2 * kMega ? time_of(n, 1) : without_samples(n, "skipped: no time is left"));
    }
  }
  const LadderTable table = table_of(ladder);
  EXPECT_THAT(table.sizes, ElementsAre(kMega, 2 * kMega));
  EXPECT_EQ(table.rows[0].note, "skipped: no time is left (from 2^22 values on)");
}

TEST(LadderTable, without_the_usual_sizes_shows_the_last_ones) {
  Ladder ladder = sample();
  for (LadderSeries& series : ladder.series) {
    series.times.clear();
    for (std::uint64_t n = 16; n <= 1024; n *= 2) series.times.push_back(time_of(n, 1));
  }
  EXPECT_THAT(table_of(ladder).sizes, ElementsAre(128, 256, 512, 1024));
}

TEST(LadderText, writes_sizes_as_powers) {
  EXPECT_EQ(power_text(kLarge), "2^24");
  EXPECT_EQ(power_text(1000), "1,000");
  EXPECT_EQ(raised_power_text(1U << 30), "2\u00B3\u2070");
}

TEST(LadderText, the_console_names_machine_day_and_method) {
  const std::string text = to_console(sample(), {});
  EXPECT_THAT(
      text, AllOf(HasSubstr("NVIDIA H200 (driver 580.95.05, nvcc 13.0), AMD EPYC 9554 with 16 threads"),
                  HasSubstr("2026-11-21"), HasSubstr("2^24"), HasSubstr("over v01"), HasSubstr("L2 is swept"),
                  HasSubstr("v02_atomic_per_thread: wrong_when_timed")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(LadderText, the_readme_gets_its_table_between_the_markers_again_and_again) {
  const std::string readme = "before\n<!-- ladder -->\nold\n<!-- /ladder -->\nafter\n";
  const auto once = with_ladder(readme, sample());
  ASSERT_TRUE(once);
  EXPECT_THAT(
      *once,
      AllOf(testing::StartsWith("before\n<!-- ladder -->\n| int, ms | 2^20 | 2^24 |"), Not(HasSubstr("old")),
            HasSubstr("| `v21_peak` | 0.006 | 0.02 | 3355 | 69.7 % | 20 |"), HasSubstr("NVIDIA H200"),
            HasSubstr("2026-11-21"), testing::EndsWith("<!-- /ladder -->\nafter\n")));
  EXPECT_EQ(with_ladder(*once, sample()).value_or(""), *once);
}

TEST(LadderText, a_readme_without_the_markers_is_refused) {
  for (const char* text : {"", "<!-- ladder -->", "<!-- /ladder --> <!-- ladder -->"}) {
    EXPECT_THAT(with_ladder(text, sample()).error().message, HasSubstr("<!-- ladder -->"));
  }
}

TEST(Families, keep_versions_of_one_word_together_and_fill_up_with_the_others) {
  const auto families =
      families_of({"v01_atomic_a", "v02_atomic_b", "v03_atomic_c", "v04_tree_a", "v05_tree_b", "v06_tree_c",
                   "v07_shared_a", "v08_shared_b", "v09_warp", "v10_vector", "v11_thrust", "v12_cub"});
  std::vector<std::string> titles;
  titles.reserve(families.size());
  for (const Family& family : families) titles.push_back(family.title);
  EXPECT_THAT(titles, ElementsAre("v01 to v03", "v04 to v06", "v07 to v11", "v12"));
  EXPECT_THAT(families[2].versions,
              ElementsAre("v07_shared_a", "v08_shared_b", "v09_warp", "v10_vector", "v11_thrust"));
  EXPECT_THAT(families_of({}), IsEmpty());
}

TEST(Families, never_hold_more_than_there_are_inks) {
  std::vector<std::string> versions(20);
  for (std::size_t i = 0; i < versions.size(); ++i) versions[i] = fmt::format("v{}_tree_x", i);
  std::size_t held = 0;
  for (const Family& family : families_of(versions)) {
    EXPECT_LE(family.versions.size(), kInks);
    held += family.versions.size();
  }
  EXPECT_EQ(held, versions.size());
}

TEST(Durations, have_the_unit_that_suits_them) {
  EXPECT_EQ(duration_text(1e-5), "10 ns");
  EXPECT_EQ(duration_text(0.001), "1 \u00B5s");
  EXPECT_EQ(duration_text(0.9999), "1 ms");
  EXPECT_EQ(duration_text(100), "100 ms");
  EXPECT_EQ(duration_text(2000), "2 s");
}

TEST(LadderPage, is_well_formed_loads_nothing_and_runs_nothing) {
  const Document document = parse_document(to_html(sample()));
  ASSERT_EQ(document.error, "");
  for (const Element& element : document.elements) {
    for (const char* reaching : {"script", "link", "img", "iframe", "object", "embed", "form", "base"}) {
      EXPECT_NE(element.name, reaching);
    }
    for (const auto& [name, value] : element.attributes)
      EXPECT_TRUE(name != "href" || value.front() == '#') << value;
  }
  EXPECT_EQ(document.named("h1").size(), 1U);
}

TEST(LadderPage, says_what_was_found_where_and_how) {
  const std::string page = to_html(sample());
  EXPECT_THAT(page, AllOf(HasSubstr("reference&#x2F;reduction on NVIDIA H200"),
                          HasSubstr("the fastest version, v21_peak, takes 20"), HasSubstr("3,355 GB&#x2F;s"),
                          HasSubstr("69.7\u202F%"), HasSubstr("20 times as fast as v01_atomic_per_element"),
                          HasSubstr("250 times as fast as cpu_one_thread"), HasSubstr("2026-11-21"),
                          HasSubstr("L2 is swept")));
}

TEST(LadderPage, shows_three_kinds_of_plots) {
  const Document document = parse_document(to_html(sample()));
  EXPECT_THAT(document.named("svg"),
              SizeIs(3));  // CPU against GPU; one family, as bandwidth and as time
}

TEST(LadderPage, without_a_gpu_is_about_the_cpu) {
  Ladder ladder = sample();
  ladder.setting.gpu.clear();
  ladder.setting.l2_bytes = 0;
  ladder.series.resize(1);
  const std::string page = to_html(ladder);
  EXPECT_EQ(parse_document(page).error, "");
  EXPECT_THAT(
      page, AllOf(HasSubstr("There was no GPU"), HasSubstr("The sums on the CPU"), Not(HasSubstr("events"))));
}

TEST(LadderPage, copes_with_a_ladder_that_holds_nothing) {
  EXPECT_EQ(parse_document(to_html(Ladder{})).error, "");
  EXPECT_THAT(to_console(Ladder{}, {}), HasSubstr("GB/s"));
}

TEST(LadderPage, names_never_become_markup) {
  Ladder ladder = sample();
  for (LadderSeries& series : ladder.series) series.name += "<b>\"&";
  ladder.setting.gpu = "<script>";
  ladder.series[2].times[1].note = "</svg><b>";
  const Document document = parse_document(to_html(ladder));
  ASSERT_EQ(document.error, "");
  EXPECT_THAT(document.named("b"), IsEmpty());
  EXPECT_THAT(document.named("script"), IsEmpty());
}

Comparison compared() {
  Comparison comparison{"reduction", "v21_peak", "v20_cub", 0.999, sample().setting, {}};
  comparison.sizes = {{"int", kMega, true, 24, 0.006, 0.0084, 1.4, 1.38, 1.42, 699, ""},
                      {"int", kMega, false, 24, 0.007, 0.0069, 0.99, 0.98, 0.995, 599, ""},
                      {"float", kLarge, true, 24, 0.02, 0.0204, 1.02, 0.99, 1.03, 3355, ""},
                      {"float", kLarge, false, 0, 0, 0, 0, 0, 0, 0, "skipped: no room"}};
  return comparison;
}

TEST(ComparisonReports, json_is_read_back_as_it_was_written) {
  const auto back = comparison_from_json(to_json(compared()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), to_json(compared()));
  EXPECT_THAT(comparison_from_json(to_json(sample())).error().message, HasSubstr("warpmark.ladder/1"));
}

TEST(ComparisonReports, say_ratio_interval_and_what_is_missing) {
  EXPECT_THAT(to_console(compared(), {}),
              AllOf(HasSubstr("1.400   [1.380, 1.420]"), HasSubstr("2^20+1"), HasSubstr("skipped: no room")));
  const std::string page = to_html(compared());
  ASSERT_EQ(parse_document(page).error, "");
  EXPECT_THAT(page,
              AllOf(HasSubstr("v21_peak is faster at 1 and slower at 1; at the other 1 the"),
                    HasSubstr("1.380 to 1.420"), HasSubstr("equally fast"), HasSubstr("skipped: no room")));
}

}  // namespace
}  // namespace warpmark::ladder_tests
