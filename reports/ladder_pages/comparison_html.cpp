// Renders the page that compares the times of two implementations, with templates/ladder.mustache.
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

// Returns a sentence on a comparison of two implementations: at how many input sizes one is faster or slower
// with certainty, that is, the confidence interval of the ratio of times excludes 1.
std::vector<std::string> leads_of(const Comparison& comparison) {
  const Comparison::Tally tally = comparison.tally();
  std::string text = fmt::format("Of {} sizes, types and alignments, {} is faster at {} and slower at {}",
                                 tally.measured, comparison.first, tally.faster, tally.slower);
  if (const std::size_t open = tally.measured - tally.faster - tally.slower; open > 0) {
    text += fmt::format("; at the other {} the interval of the ratio contains 1", open);
  }
  return {text + "."};
}

PageTable table_of(const Comparison& comparison) {
  PageTable table{{"Input", "Values", label_of(comparison.first) + ", ms",
                   label_of(comparison.second) + ", ms", "Ratio", "Interval", "GB/s", "Rounds"},
                  {}};
  for (const ComparedSize& size : comparison.sizes) {
    const std::string input = size.type + (size.aligned ? "" : ", misaligned");
    if (size.rounds == 0) {
      table.rows.push_back({input, raised_power_text(size.n), size.note, "", "", "", "", ""});
      continue;
    }
    table.rows.push_back({input, raised_power_text(size.n), milliseconds(size.first_ms),
                          milliseconds(size.second_ms), fmt::format("{:.3f}", size.ratio),
                          size.high > 0 ? fmt::format("{:.3f} to {:.3f}", size.low, size.high) : "",
                          rate_text(size.gb_per_s), fmt::format("{}", size.rounds)});
  }
  return table;
}

}  // namespace

std::string to_html(const Comparison& comparison) {
  mstch::array figures{
      figure("Ratio", "above 1, " + comparison.first + " is faster", to_svg(plot_of(comparison)))};
  mstch::map view{
      {"title", visible_line(fmt::format("{} against {}", comparison.first, comparison.second))},
      {"above", std::string("Warpmark comparison")},
      {"sections", mstch::array{mstch::map{
                       {"section_id", std::string("ratio")},
                       {"section_title", std::string("How many times as fast")},
                       {"section_note", std::string("Bars: the interval of the ratio. Dashed: the input "
                                                    "begins one value past a 256-byte boundary.")},
                       {"figures", figures}}}},
      {"table_title", std::string("Table")},
      {"table_note", std::string("Medians of a call. GB/s are the first's.")},
      {"has_missing", false},
      {"has_details", false},
      {"method", method_text(comparison)},
      {"json_name", std::string("comparison.json")}};
  put_leads(view, leads_of(comparison));
  put_table(view, "columns", "rows", table_of(comparison));
  put_facts(view, comparison.setting);
  return render_page("ladder", view, {"style", "plots"});
}

}  // namespace warpmark
