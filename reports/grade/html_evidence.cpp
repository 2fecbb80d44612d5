#include "reports/grade/html_evidence.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/model/overview.h"
#include "reports/drawing/pictures.h"
#include "reports/drawing/time_line_svg.h"
#include "reports/grade/html_values.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

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

constexpr double kHeadroom = 1.04;

double most_speedup(const Grade& grade) {
  double most = 1;
  for (const Measurement& measured : grade.measurements) {
    for (const double value :
         {measured.speedup, measured.steps.empty() ? measured.threshold : measured.steps.back(),
          measured.speedup_span ? measured.speedup_span->high : 0,
          measured.reference_span ? measured.reference_span->high : 0}) {
      if (std::isfinite(value)) most = std::max(most, value);
    }
  }
  return most * kHeadroom;
}

double most_time(const Grade& grade) {
  double most = 0;
  for (const Measurement& measured : grade.measurements) {
    for (const auto* samples : {&measured.naive_ms, &measured.student_ms}) {
      for (const double value : *samples) {
        if (std::isfinite(value)) most = std::max(most, value);
      }
    }
  }
  return most;
}

// Returns the GPU's peak in the unit of the measurements (GFLOP/s or GB/s), or 0 if the peak is unknown.
double roof_of(const Grade& grade) {
  const auto gpu = std::ranges::find(grade.engines, Engine::gpu, &EngineUsed::engine);
  if (gpu == grade.engines.end()) return 0;
  const bool arithmetic = !grade.measurements.empty() && grade.measurements.front().gflops > 0;
  return arithmetic ? gpu->peak_gflops : gpu->peak_gb_per_s;
}

std::string roof_text(const Grade& grade, double roof) {
  if (roof <= 0) return {};
  const Rate rate = rate_of(grade.measurements.front());
  const bool arithmetic = grade.measurements.front().gflops > 0;
  return fmt::format("{}; the right edge is {}, {} {}",
                     arithmetic ? "Arithmetic, with a fused multiply-add counted as two operations"
                                : "Bandwidth, every input and output counted once",
                     arithmetic ? "all lanes at the highest clock" : "the memory's roof", whole(roof),
                     rate.unit);
}

// Returns a text on the required speedups of a check whose points are earned in steps: "steps 1.5x, 3x, 6x";
// empty for a check with a single required speedup.
std::string steps_text(const Measurement& measured) {
  std::vector<std::string> steps;
  for (const double step : measured.steps) steps.push_back(speedup_text(step) + "\u00D7");
  return steps.empty() ? "" : fmt::format("steps {}", fmt::join(steps, ", "));
}

Bar bar_of(const Measurement& measured) {
  Bar bar{.value = measured.speedup, .asked = measured.threshold, .one = 1};
  bar.good = measured.speedup >= measured.threshold;
  if (measured.speedup_span) {
    bar.low = measured.speedup_span->low;
    bar.high = measured.speedup_span->high;
  }
  if (measured.reference_span) {
    bar.reference_low = measured.reference_span->low;
    bar.reference_high = measured.reference_span->high;
  }
  return bar;
}

}  // namespace

void add_measurements(const Grade& grade, mstch::map& view) {
  const auto samples = [](const std::vector<double>& values) {
    std::vector<std::string> shown;
    shown.reserve(values.size());
    for (const double value : values) shown.push_back(milliseconds(value));
    return fmt::format("{}", fmt::join(shown, ", "));
  };
  const double most = most_speedup(grade);
  const double roof = roof_of(grade);
  const double most_ms = most_time(grade);
  mstch::array rows;
  for (const Measurement& measured : grade.measurements) {
    rows.push_back(mstch::map{
        {"speed_svg", bar_svg(bar_of(measured), most)},
        {"rate_svg", bar_svg(Bar{.value = rate_of(measured).value}, roof)},
        {"naive_svg", samples_svg(measured.naive_ms, most_ms)},
        {"student_svg", samples_svg(measured.student_ms, most_ms)},
        {"most_ms", milliseconds(most_ms)},
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
        {"steps", steps_text(measured)},
        {"baseline", std::string(measured.over_reference ? "of the course's solution" : "")},
        {"over_previous",
         measured.over_previous > 0 ? speedup_text(measured.over_previous) + "\u00D7" : std::string()},
        {"rate", whole(rate_of(measured).value)},
        {"rate_unit", std::string(rate_of(measured).unit)},
        {"of_peak",
         measured.percent_of_peak > 0 ? whole(measured.percent_of_peak) + "\u2009%" : std::string()},
        {"rounds", fmt::format("{}", measured.rounds())},
        {"naive_samples", samples(measured.naive_ms)},
        {"student_samples", samples(measured.student_ms)}});
  }
  view["has_measurements"] = !rows.empty();
  view["has_roof"] = roof > 0 && !rows.empty();
  view["roof"] = rows.empty() ? std::string() : roof_text(grade, roof);
  view["rates_unit"] = rows.empty() ? std::string() : std::string(rate_of(grade.measurements.front()).unit);
  view["has_reference"] = std::ranges::any_of(
      grade.measurements, [](const Measurement& measured) { return measured.reference_span.has_value(); });
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
  view["has_facts"] = !facts.empty();
  view["timing_facts"] = facts;
  view["measurements"] = rows;
}

void add_transfers(const Grade& grade, mstch::map& view) {
  mstch::array rows;
  for (const AuditedTransfer& transfer : grade.transfers) {
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
  mstch::array groups;
  for (const TimeLineGroup& group : time_line(grade))
    groups.push_back(mstch::map{{"group_name", name(group.name)}, {"group_svg", group.svg}});
  view["time_line"] = groups;
  const std::size_t events = grade.transfers.size() + grade.launches.size();
  view["time_line_more"] = events > kMostTimeLineEvents ? fmt::format("The first {} of {} events.",
                                                                      kMostTimeLineEvents, grouped(events))
                                                        : std::string();
}

}  // namespace warpmark
