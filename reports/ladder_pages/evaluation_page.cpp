// Renders a student's evaluation, a report which compares one core, threads, MPI and GPU, as an HTML page and
// for a terminal.
#include <algorithm>
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "reports/ladder_pages/evaluation.h"
#include "reports/ladder_pages/ladder_page.h"
#include "reports/ladder_pages/ladder_plots.h"
#include "reports/ladder_pages/ladder_table.h"
#include "reports/reports.h"
#include "reports/templates/page.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Returns a table with one row per input size: the times, then the speedups over the one-core implementation
// or, without one, over the first implementation.
PageTable table_of_ways(const Ladder& ladder, const std::vector<EvaluationWay>& ways) {
  PageTable table{{"Size"}, {}};
  const LadderSeries* base = evaluation_base(ladder, ways);
  std::vector<const LadderSeries*> shown;
  for (const EvaluationWay& way : ways) {
    if (way.series == nullptr) continue;
    shown.push_back(way.series);
    table.columns.push_back(way.name + ", ms");
  }
  for (const EvaluationWay& way : ways) {
    if (way.series != nullptr && base != nullptr && way.series != base)
      table.columns.push_back(way.name + ", times");
  }
  for (const std::uint64_t n : ladder.sizes()) {
    const auto has_time = [n](const LadderSeries* series) { return series->at(n) != nullptr; };
    if (std::ranges::none_of(shown, has_time)) continue;
    std::vector<std::string> row{raised_power_text(n)};
    for (const LadderSeries* series : shown)
      row.push_back(series->at(n) != nullptr ? milliseconds(series->at(n)->median_ms) : "");
    for (const LadderSeries* series : shown) {
      if (base == nullptr || series == base) continue;
      const auto ratio = times_as_fast(*series, *base, n);
      row.push_back(ratio ? speedup_text(*ratio) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Returns a table with one row per approach to a problem (one core, threads, MPI, GPU): its fastest
// implementation, at the largest size for which it has a time.
PageTable table_of_versions(const Ladder& ladder, const std::vector<EvaluationWay>& ways) {
  PageTable table{{"Approach", "Version", "Largest size", "Median, ms", "Interval, ms",
                   std::string(ladder.rate_unit()), "Of peak"},
                  {}};
  for (const EvaluationWay& way : ways) {
    if (way.series == nullptr) continue;
    for (auto time = way.series->times.rbegin(); time != way.series->times.rend(); ++time) {
      if (time->samples == 0) continue;
      table.rows.push_back(
          {way.name, way.series->name, raised_power_text(time->n), milliseconds(time->median_ms),
           time->high_ms > 0
               ? fmt::format("{} to {}", milliseconds(time->low_ms), milliseconds(time->high_ms))
               : "",
           rate_text(ladder.rate(*time)),
           time->percent_of_peak > 0 ? fmt::format("{:.1f}\u2009%", time->percent_of_peak) : ""});
      break;
    }
  }
  return table;
}

// Returns a sentence per approach that is faster than the one-core implementation (without one, than the
// first), with the speedup at the largest common input size.
std::vector<std::string> leads_of(const Ladder& ladder, const std::vector<EvaluationWay>& ways) {
  const LadderSeries* base = evaluation_base(ladder, ways);
  std::vector<std::string> leads;
  if (base == nullptr) return leads;
  const auto sizes = ladder.sizes();
  for (const EvaluationWay& way : ways) {
    if (way.series == nullptr || way.series == base) continue;
    for (auto n = sizes.rbegin(); n != sizes.rend(); ++n) {
      const auto ratio = times_as_fast(*way.series, *base, *n);
      if (!ratio) continue;
      leads.push_back(fmt::format("{}: {} times as fast as {} at {} values, {} instead of {}.", title_of(way),
                                  speedup_text(*ratio), base->name, raised_power_text(*n),
                                  duration_text(way.series->at(*n)->median_ms),
                                  duration_text(base->at(*n)->median_ms)));
      break;
    }
  }
  return leads;
}

mstch::map section(const char* id, const char* title, const char* note, const std::string& svg) {
  return mstch::map{{"section_id", std::string(id)},
                    {"section_title", std::string(title)},
                    {"section_note", std::string(note)},
                    {"figures", mstch::array{figure(title, "over the size", svg)}}};
}

}  // namespace

std::string evaluation_html(const Ladder& ladder) {
  const auto ways = ways_of(ladder);
  mstch::array sections{section("time", "Time of a call",
                                "Both axes are logarithmic. Dashed: the CPU. For each approach, the version "
                                "that is fastest at the largest size.",
                                to_svg(plot_evaluation_time(ladder, ways)))};
  if (const auto speedup = plot_evaluation_speedup(ladder, ways); speedup && !speedup->lines.empty()) {
    sections.push_back(section("speedup", "Speedup",
                               "Both axes are logarithmic. Above the dashed line an approach is faster than "
                               "one core, below it slower.",
                               to_svg(*speedup)));
  }
  mstch::map view{{"title", visible_line(fmt::format("{}: from one core to GPUs", ladder.submission))},
                  {"above", std::string("Warpmark evaluation")},
                  {"sections", sections},
                  {"table_title", std::string("Table")},
                  {"table_note", "On " + visible_line(machine_text(ladder.setting)) + "."},
                  {"method", method_text(ladder)},
                  {"json_name", std::string("ladder.json")},
                  {"details_title", std::string("The versions behind the lines")},
                  {"has_details", true}};
  mstch::array missing;
  for (const EvaluationWay& way : ways) {
    if (!way.missing.empty())
      missing.push_back(mstch::map{{"missing_name", visible_line(way.name)},
                                   {"missing_why", shortened(visible_line(way.missing), 500)}});
  }
  view["has_missing"] = !missing.empty();
  view["missing"] = missing;
  put_leads(view, leads_of(ladder, ways));
  put_table(view, "columns", "rows", table_of_ways(ladder, ways));
  put_table(view, "detail_columns", "detail_rows", table_of_versions(ladder, ways));
  put_facts(view, ladder.setting);
  return render_page("ladder", view, {"style", "plots"});
}

std::string evaluation_console(const Ladder& ladder, const ConsoleStyle& style) {
  const auto ways = ways_of(ladder);
  const auto paragraph = [&](const std::string& text) {
    std::string out;
    for (const auto& line : wrapped(text, static_cast<std::size_t>(std::max(style.width, 60))))
      out += line + "\n";
    return out;
  };
  std::string out =
      paragraph(fmt::format("{} on {}", visible_line(ladder.submission), machine_text(ladder.setting)));
  for (const std::string& lead : leads_of(ladder, ways)) out += paragraph(lead);
  for (const EvaluationWay& way : ways) {
    if (!way.missing.empty()) out += paragraph(fmt::format("{}: {}", way.name, visible_line(way.missing)));
  }
  return out;
}

}  // namespace warpmark
