#include "reports/summary.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reports/text.h"

namespace warpmark {
namespace {

// Why a check was not decided. The advice stands in where the judge gave no message.
struct Reason {
  CauseKind kind;
  std::string_view word;
  std::string_view reason;
  std::string_view advice;
};

constexpr std::array<Reason, 5> kReasons = {{
    {CauseKind::no_gpu, "no GPU", "needs a GPU, and there is none here",
     "Its points are not lost: grade again on a machine with an NVIDIA GPU."},
    {CauseKind::no_compiler, "no compiler", "needs a compiler that is not here",
     "Install clang: `apt-get install clang`."},
    {CauseKind::no_profiler, "no profiler", "needs CUPTI, NVIDIA's profiling library, which is not here",
     "CUPTI is part of the CUDA toolkit: install it."},
    {CauseKind::unsupported, "unsupported", "cannot be asked of this code on this machine",
     "Its points are not lost: grade again on a machine with an NVIDIA GPU."},
    {CauseKind::noise, "noise", "was measured, but too noisily to decide",
     "Grade again when nothing else uses the GPU."},
}};

constexpr double kRoundingError = 1e-9;  // 5.8 * 100 is 579.999...

constexpr Reason kOtherReason = {CauseKind::internal, "not run", "was not run", "Grade again."};

std::optional<CauseKind> first_kind(const CheckResult& check) {
  if (check.causes.empty()) return std::nullopt;
  return check.causes.front().kind;
}

Reason reason_of(const CheckResult& check) {
  const auto kind = first_kind(check);
  const auto* found = std::find_if(kReasons.begin(), kReasons.end(),
                                   [kind](const Reason& reason) { return reason.kind == kind; });
  if (found != kReasons.end()) return *found;
  return check.verdict == Verdict::inconclusive ? kReasons.back() : kOtherReason;
}

bool is_not_implemented(const CheckResult& check) {
  return check.verdict == Verdict::failed && first_kind(check) == CauseKind::not_implemented;
}

bool waits_for_another(const CheckResult& check) {
  return check.verdict == Verdict::not_run && first_kind(check) == CauseKind::depends;
}

template <class T>
std::size_t index_in(std::vector<T>& known, const T& value) {
  const auto found = std::find(known.begin(), known.end(), value);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  known.push_back(value);
  return known.size() - 1;
}

void add_not_decided(const CheckResult& check, std::vector<NotDecided>& groups) {
  const Reason reason = reason_of(check);
  const bool has_message = !check.causes.empty() && !check.causes.front().message.empty();
  const std::string advice(has_message ? std::string_view(check.causes.front().message) : reason.advice);
  const auto same = std::find_if(groups.begin(), groups.end(), [&](const NotDecided& group) {
    // Without a GPU one message stands for all; elsewhere each message may hold its own figures.
    return group.check == check.check && group.kind == first_kind(check) &&
           (group.kind == CauseKind::no_gpu || group.advice == advice);
  });
  if (same != groups.end()) {
    same->checks.push_back(&check);
  } else {
    groups.push_back({check.check, first_kind(check), std::string(reason.reason), advice, {&check}});
  }
}

}  // namespace

Status status_of(const CheckResult& check) {
  switch (check.verdict) {
    case Verdict::passed:
      return {"ok", "ok", "passed", Tone::good};
    case Verdict::failed:
      if (is_not_implemented(check)) return {"todo", "to do", "not implemented yet", Tone::to_do};
      return {"FAIL", "failed", "failed", Tone::bad};
    case Verdict::not_run:
      if (waits_for_another(check)) return {"-", "", "waits for an earlier check", Tone::quiet};
      return {reason_of(check).word, reason_of(check).word, reason_of(check).reason, Tone::quiet};
    case Verdict::inconclusive:
      return {reason_of(check).word, reason_of(check).word, "could not be decided", Tone::doubtful};
    case Verdict::broken:
      break;
  }
  return {"broken", "broken", "the grader failed, not the submission", Tone::doubtful};
}

Table table_of(const Grade& grade) {
  Table table;
  std::vector<std::string> versions;
  for (const CheckResult& check : grade.checks) {
    if (check.version.empty()) {
      table.whole_submission.push_back(&check);
      continue;
    }
    const std::size_t row = index_in(versions, check.version);
    const std::size_t column = index_in(table.columns, check.check);
    if (row == table.rows.size()) table.rows.push_back({check.version, {}, 0, 0});
    TableRow& entry = table.rows[row];
    entry.cells.resize(std::max(entry.cells.size(), column + 1), nullptr);
    entry.cells[column] = &check;
    entry.points += check.points;
    entry.possible += check.possible;
  }
  for (TableRow& row : table.rows) row.cells.resize(table.columns.size(), nullptr);
  return table;
}

Groups groups_of(const Grade& grade) {
  Groups groups;
  for (const CheckResult& check : grade.checks) {
    if (is_not_implemented(check)) {
      index_in(groups.not_implemented, check.version.empty() ? check.check : check.version);
    } else if (check.verdict == Verdict::failed) {
      groups.failed.push_back(&check);
    } else if (check.verdict == Verdict::broken) {
      groups.broken.push_back(&check);
    } else if (check.verdict != Verdict::passed && !waits_for_another(check)) {
      add_not_decided(check, groups.not_decided);
    }
  }
  return groups;
}

std::string needs_gpu_text(const Score& score) {
  if (score.needs_gpu == 0) return "";
  return fmt::format("{} more {} a GPU", plain_number(score.needs_gpu),
                     score.needs_gpu == 1 ? "needs" : "need");
}

std::string taken_out_text(const Score& score) {
  if (score.taken_out == 0) return "";
  return fmt::format("{} more could not be decided here", plain_number(score.taken_out));
}

std::string score_line(const Score& score) {
  std::string line =
      fmt::format("{} of {}", plain_number(score.points), counted(score.possible, "point", "points"));
  for (const std::string& apart : {needs_gpu_text(score), taken_out_text(score)}) {
    if (!apart.empty()) line += "; " + apart;
  }
  return line;
}

std::string points_text(double points, double possible) {
  if (points == 0 && possible == 0) return "-";
  return fmt::format("{} of {}", plain_number(points), plain_number(possible));
}

std::string headline(const Grade& grade, const Groups& groups) {
  const auto count = [](std::size_t number, std::string_view one, std::string_view many) {
    return counted(static_cast<double>(number), one, many);
  };
  if (grade.checks.empty()) return "Nothing was checked.";
  if (!groups.failed.empty()) return count(groups.failed.size(), "check", "checks") + " failed.";
  if (!groups.not_implemented.empty()) {
    return "Nothing failed that is written; " +
           count(groups.not_implemented.size(), "version is", "versions are") + " still to do.";
  }
  if (!groups.broken.empty()) return "Nothing failed, but the grader could not do all of its work.";
  if (!groups.not_decided.empty()) return "Everything that could be decided here passed.";
  return "Everything passed.";
}

std::string counts_line(const Grade& grade) {
  enum Kind { passed, failed, not_implemented, not_run, inconclusive, broken, kinds };
  const std::array<std::string_view, kinds> names = {"passed",  "failed",       "not implemented",
                                                     "not run", "inconclusive", "broken"};
  std::array<int, kinds> counts{};
  for (const CheckResult& check : grade.checks) {
    switch (check.verdict) {
      case Verdict::passed:
        ++counts[passed];
        break;
      case Verdict::failed:
        ++counts[is_not_implemented(check) ? not_implemented : failed];
        break;
      case Verdict::not_run:
        ++counts[not_run];
        break;
      case Verdict::inconclusive:
        ++counts[inconclusive];
        break;
      case Verdict::broken:
        ++counts[broken];
        break;
    }
  }
  std::string line;
  for (std::size_t i = 0; i < kinds; ++i) {
    if (counts.at(i) == 0) continue;
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", counts.at(i), names.at(i));
  }
  return line.empty() ? "nothing was checked" : line;
}

std::string input_line(const Cause& cause) {
  std::vector<std::string> parts;
  if (!cause.type.empty()) parts.push_back(visible_line(cause.type));
  if (cause.n) parts.push_back(fmt::format("n = {}", *cause.n));
  if (!cause.seed.empty()) parts.push_back("seed " + visible_line(cause.seed));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string place_of(const Cause& cause) {
  if (cause.file.empty()) return "";
  return visible_line(cause.file) + (cause.line > 0 ? fmt::format(":{}", cause.line) : "");
}

std::string milliseconds(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "?";
}

std::string span_text(const std::optional<Span>& span, int digits) {
  if (!span) return "-";
  return fmt::format("{:.{}f} to {:.{}f}", span->low, digits, span->high, digits);
}

std::string decided_text(const Measurement& measured) {
  if (measured.decided_by == "noise") return "not decided: the GPU was not quiet";
  if (measured.decided_by == "clock") return "not believed: the time cannot be right";
  if (measured.decided_by == "hopeless") return "given up: slower than the naive kernel each time";
  if (measured.decided_by == "cap") return "too close to call: 98 % of what is asked is enough";
  if (measured.decided_by != "interval" || !measured.speedup_span) return "";
  return measured.speedup_span->low >= measured.threshold ? "surely as fast as asked"
                                                          : "surely slower than asked";
}

std::string calibration_text(const Timing& timing) {
  if (!timing.calibration.empty()) {
    return "What is asked was measured with the course's own solution on this model of GPU: " +
           visible_line(timing.calibration) + ".";
  }
  return "This model of GPU was not calibrated, so that what is asked are the rubric's own numbers. "
         "`./warpmark "
         "calibrate` measures what the course's solution reaches here.";
}

std::string conditions_text(const Conditions& conditions) {
  std::vector<std::string> parts;
  if (conditions.other_processes) {
    parts.push_back(
        counted(static_cast<double>(*conditions.other_processes), "other process", "other processes"));
  }
  if (conditions.sm_mhz) parts.push_back(fmt::format("{} MHz", *conditions.sm_mhz));
  if (conditions.memory_mhz) parts.push_back(fmt::format("memory {} MHz", *conditions.memory_mhz));
  if (conditions.celsius) parts.push_back(fmt::format("{} \u00B0C", *conditions.celsius));
  if (!conditions.throttled_by.empty()) {
    parts.push_back(
        visible_line(fmt::format("slowed down by: {}", fmt::join(conditions.throttled_by, ", "))));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string whole(double value) {
  return std::isfinite(value) ? fmt::format("{:.0f}", value) : "?";
}

std::string speedup_text(double value) {
  if (!std::isfinite(value)) return "?";
  return plain_number(std::floor(value * 100 + kRoundingError) / 100);
}

}  // namespace warpmark
