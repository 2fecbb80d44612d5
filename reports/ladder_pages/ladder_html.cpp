// Renders the page of a benchmark of all implementations in a submission over many input sizes, with
// templates/ladder.mustache: plots, table, and how the measurements were made.
#include <cmath>
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "reports/ladder_pages/ladder_page.h"
#include "reports/ladder_pages/ladder_plots.h"
#include "reports/ladder_pages/ladder_table.h"
#include "reports/reports.h"
#include "reports/templates/page.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Returns the sentences with figures that open a benchmark's page: the time, rate and speedup of the fastest
// implementation.
std::vector<std::string> leads_of(const Ladder& ladder) {
  const LadderSeries* best = ladder.fastest(false);
  const LadderSeries* cpu = ladder.fastest(true);
  std::vector<std::string> leads;
  if (best == nullptr) {
    leads.emplace_back("There was no GPU: only the sums on the CPU were measured.");
    return leads;
  }
  const auto sizes = ladder.sizes();
  const std::uint64_t n = sizes.back();
  const LadderTime* time = best->at(n);
  if (time == nullptr) return leads;
  std::string text = fmt::format(
      "At {} values the fastest version, {}, takes {} and {} {} {}", raised_power_text(n), best->name,
      duration_text(time->median_ms), ladder.counts_operations() ? "computes" : "reads",
      grouped(static_cast<unsigned long long>(std::llround(ladder.rate(*time)))), ladder.rate_unit());
  if (time->percent_of_peak > 0) {
    text += fmt::format(", {:.1f}\u202F% of what {} allows", time->percent_of_peak,
                        ladder.counts_operations() ? "the GPU" : "the memory's clock");
  }
  leads.push_back(text + ".");
  std::string ratios;
  for (const LadderSeries& series : ladder.series) {
    if (&series != ladder.baseline() && &series != cpu) continue;
    const std::optional<double> ratio = times_as_fast(*best, series, n);
    if (!ratio) continue;
    ratios += fmt::format("{}{} times as fast as {}", ratios.empty() ? "" : " and ",
                          plain_number(std::round(10 * *ratio) / 10), series.name);
  }
  if (!ratios.empty()) leads.push_back(fmt::format("That is {}.", ratios));
  return leads;
}

mstch::map section(const char* id, const char* title, std::string note, mstch::array figures) {
  return mstch::map{{"section_id", std::string(id)},
                    {"section_title", std::string(title)},
                    {"section_note", std::move(note)},
                    {"figures", std::move(figures)}};
}

}  // namespace

mstch::array ladder_sections(const Ladder& ladder, bool with_cpu) {
  std::vector<std::string> versions;
  for (const LadderSeries& series : ladder.series) {
    if (!series.cpu) versions.push_back(series.name);
  }
  mstch::array sections;
  if (with_cpu)
    sections.push_back(section("cpu", versions.empty() ? "The sums on the CPU" : "CPU against GPU",
                               versions.empty()
                                   ? "Both axes are logarithmic."
                                   : "Both axes are logarithmic. On the left the launch overhead dominates, "
                                     "on the right the memory. Dashed: the CPU. Grey: every other version.",
                               {figure("Time of a call", "", to_svg(plot_cpu_against_gpu(ladder)))}));
  mstch::array rates;
  mstch::array times;
  for (const Family& family : families_of(versions)) {
    rates.push_back(figure(family.title, ladder.counts_operations() ? "GFLOP/s" : "GB per second",
                           to_svg(plot_bandwidth(ladder, family))));
    times.push_back(figure(family.title, "time of a call", to_svg(plot_time(ladder, family))));
  }
  if (versions.empty()) return sections;
  sections.push_back(
      section("bandwidth", ladder.counts_operations() ? "Arithmetic" : "Bandwidth",
              ladder.counts_operations()
                  ? "A fused multiply-add counts as two operations. Grey: the versions of the other plots."
                  : "Every input is read once and every output written once, so the plotted rate is bytes "
                    "over time. Grey: the versions of the other plots.",
              rates));
  sections.push_back(
      section("time", "Time", "The same measurements as times. Both axes are logarithmic.", times));
  return sections;
}

namespace {

// Returns a table with one row per implementation and input size: time, confidence interval and rate.
PageTable every_size(const Ladder& ladder) {
  PageTable table{{"Version", "Values", "Median, ms", "Interval, ms", std::string(ladder.rate_unit()),
                   "Of peak", "Samples"},
                  {}};
  for (const LadderSeries& series : ladder.series) {
    for (const LadderTime& time : series.times) {
      if (time.samples == 0) continue;
      table.rows.push_back(
          {series.name, raised_power_text(time.n), milliseconds(time.median_ms),
           time.high_ms > 0 ? fmt::format("{} to {}", milliseconds(time.low_ms), milliseconds(time.high_ms))
                            : "",
           rate_text(ladder.rate(time)),
           time.percent_of_peak > 0 ? fmt::format("{:.1f}\u2009%", time.percent_of_peak) : "",
           fmt::format("{}", time.samples)});
    }
  }
  return table;
}

PageTable table_at_some_sizes(const LadderTable& table) {
  PageTable shown{{"Version"}, {}};
  for (const std::uint64_t n : table.sizes) shown.columns.push_back(raised_power_text(n));
  const std::string last = table.sizes.empty() ? "" : raised_power_text(table.sizes.back());
  shown.columns.push_back(fmt::format("{} at {}", table.rate_unit, last));
  shown.columns.push_back("Of peak");
  shown.columns.push_back(table.baseline.empty() ? "" : fmt::format("Times {}", table.baseline.substr(0, 3)));
  for (const LadderRow& row : table.rows) {
    std::vector<std::string> cells{row.name};
    cells.insert(cells.end(), row.times.begin(), row.times.end());
    cells.insert(cells.end(), {row.rate, row.of_peak.empty() ? "" : row.of_peak + "\u2009%", row.speedup});
    shown.rows.push_back(std::move(cells));
  }
  return shown;
}

}  // namespace

std::string to_html(const Ladder& ladder) {
  const LadderTable table = table_of(ladder);
  const std::string where = ladder.setting.gpu.empty() ? ladder.setting.cpu : ladder.setting.gpu;
  mstch::map view{{"title", visible_line(fmt::format("{} on {}", ladder.submission, where))},
                  {"above", std::string("Warpmark ladder")},
                  {"sections", ladder_sections(ladder, true)},
                  {"table_title", std::string("Table")},
                  {"table_note", fmt::format("Milliseconds per call. {}", widest_text(table))},
                  {"method", method_text(ladder)},
                  {"json_name", std::string("ladder.json")}};
  mstch::array missing;
  for (const LadderRow& row : table.rows) {
    if (row.note.empty()) continue;
    missing.push_back(mstch::map{{"missing_name", visible_line(row.name)},
                                 {"missing_why", shortened(visible_line(row.note), 500)}});
  }
  view["has_missing"] = !missing.empty();
  view["missing"] = missing;
  put_leads(view, leads_of(ladder));
  put_table(view, "columns", "rows", table_at_some_sizes(table));
  put_table(view, "detail_columns", "detail_rows", every_size(ladder));
  view["has_details"] = true;
  view["details_title"] = std::string("Every size");
  put_facts(view, ladder.setting);
  return render_page("ladder", view, {"style", "plots"});
}

}  // namespace warpmark
