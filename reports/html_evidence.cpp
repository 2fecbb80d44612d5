#include "reports/html_evidence.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/model/overview.h"
#include "reports/html_values.h"
#include "reports/summary.h"
#include "reports/text.h"
#include "reports/time_line_svg.h"

namespace warpmark {
namespace {

std::string phase_text(Phase phase) {
  switch (phase) {
    case Phase::load:
      return "while it was loaded";
    case Phase::between:
      return "after its call";
    case Phase::call:
      break;
  }
  return "in its call";
}

}  // namespace

void add_measurements(const Grade& grade, mstch::map& view) {
  const auto samples = [](const std::vector<double>& values) {
    std::vector<std::string> shown;
    shown.reserve(values.size());
    for (const double value : values) shown.push_back(milliseconds(value));
    return fmt::format("{}", fmt::join(shown, ", "));
  };
  mstch::array rows;
  for (const Measurement& measured : grade.measurements) {
    rows.push_back(mstch::map{
        {"measured_version", name(measured.version)},
        {"naive_median", milliseconds(measured.naive_median_ms)},
        {"student_median", milliseconds(measured.student_median_ms)},
        {"speedup", speedup_text(measured.speedup) + "\u00D7"},
        {"span", span_text(measured.speedup_span, 2)},
        {"control", span_text(measured.control_span, 3)},
        {"decided", decided_text(measured)},
        {"reference_times",
         fmt::format("{} before, {} after{}", milliseconds(measured.naive_before_ms),
                     milliseconds(measured.naive_after_ms),
                     measured.naive_calibrated_ms > 0
                         ? fmt::format("; {} when calibrated", milliseconds(measured.naive_calibrated_ms))
                         : "")},
        {"threshold", speedup_text(measured.threshold) + "\u00D7"},
        {"over_previous",
         measured.over_previous > 0 ? speedup_text(measured.over_previous) + "\u00D7" : std::string()},
        {"rate", whole(measured.gb_per_s)},
        {"of_peak",
         measured.percent_of_peak > 0 ? whole(measured.percent_of_peak) + "\u2009%" : std::string()},
        {"rounds", fmt::format("{}", measured.rounds())},
        {"naive_samples", samples(measured.naive_ms)},
        {"student_samples", samples(measured.student_ms)}});
  }
  view["has_measurements"] = !rows.empty();
  view["measured_n"] = rows.empty() ? std::string() : grouped(grade.measurements.front().n);
  mstch::array facts;
  const auto fact = [&](const char* label, const std::string& text) {
    if (!text.empty() && text != "-")
      facts.push_back(mstch::map{{"fact", std::string(label)}, {"fact_text", text}});
  };
  if (grade.timing) {
    fact("Naive kernel against itself, without a submission", span_text(grade.timing->control_span, 3));
    fact("The GPU before", conditions_text(grade.timing->before));
    fact("The GPU after", conditions_text(grade.timing->after));
    view["calibration"] = message_parts(calibration_text(*grade.timing));
  }
  view["has_timing"] = grade.timing.has_value();
  view["has_facts"] = !facts.empty();
  view["timing_facts"] = facts;
  view["measurements"] = rows;
}

void add_transfers(const Grade& grade, mstch::map& view) {
  mstch::array rows;
  for (const Transfer& transfer : grade.transfers) {
    std::string direction = name(transfer.direction);
    std::replace(direction.begin(), direction.end(), '_', ' ');
    rows.push_back(
        mstch::map{{"during", name(transfer.during)},
                   {"phase", phase_text(transfer.phase)},
                   {"direction", direction},
                   {"copies", transfer.kind == "copy" ? grouped(transfer.count) : name(transfer.kind)},
                   {"bytes", grouped(transfer.bytes)},
                   {"canary", transfer.canary}});
  }
  view["has_transfers"] = !rows.empty();
  view["transfers"] = rows;
  view["transfers_total"] = grouped(uploaded_bytes(grade));
  view["time_line"] = time_line_svg(grade);
}

}  // namespace warpmark
