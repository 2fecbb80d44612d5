#include "reports/wording/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Tolerance for rounding a floating-point product down, because the product may fall just short of a whole
// number: 5.8 * 100 is 579.999...
constexpr double kRoundingError = 1e-9;

// Texts of reports on a check whose points are open, that is, undecided on this machine.
struct OpenReason {
  CauseKind kind;
  std::string_view word;  // short text of the reason for undecided points, for a table cell: "no GPU"
  // Reason for undecided points, as the end of a sentence that begins with the check's name: "needs a GPU".
  std::string_view reason;
  std::string_view advice;  // what to do about undecided points, shown if the judge process gave no message
};
constexpr std::array kOpenReasons{
    OpenReason{CauseKind::no_gpu, "no GPU", "needs a GPU that this machine does not have",
               "Its points stay open: grade again on a machine with an NVIDIA GPU."},
    OpenReason{CauseKind::no_compiler, "no compiler", "needs a compiler that is not installed",
               "Install clang: `apt-get install clang`."},
    OpenReason{CauseKind::no_mpi, "no MPI", "needs MPI, which is not installed",
               "Install Open MPI: `apt-get install libopenmpi-dev openmpi-bin`."},
    OpenReason{CauseKind::no_cores, "one core", "needs more than one core, and this machine has one",
               "Its points stay open: grade again on a machine with several cores."},
    OpenReason{CauseKind::no_profiler, "no profiler",
               "needs CUPTI, NVIDIA's profiling library, which is not installed",
               "CUPTI is part of the CUDA toolkit: install it."},
    OpenReason{CauseKind::not_calibrated, "not calibrated", "was not measured: no threshold holds here",
               "Grade without --size."},
    OpenReason{CauseKind::unsupported, "unsupported", "cannot be checked for this code on this machine",
               "Its points stay open: grade again on a machine with an NVIDIA GPU."},
    OpenReason{CauseKind::noise, "noise", "was measured, but too noisily to decide",
               "Grade again when nothing else uses the GPU."},
    OpenReason{CauseKind::internal, "broken", "was not decided, by a fault of Warpmark", "Grade again."}};

constexpr OpenReason kOtherReason = {CauseKind::internal, "not run", "was not run", "Grade again."};

// Returns the reports' texts on points that a cause of this kind leaves undecided; nullptr if it leaves none
// undecided.
constexpr const OpenReason* open_reason_of(CauseKind kind) {
  const auto* reason = std::ranges::find(kOpenReasons, kind, &OpenReason::kind);
  return reason == kOpenReasons.end() ? nullptr : reason;
}
// Every kind of cause that neither fails a check nor stems from an earlier check needs a text on why points
// are undecided; no other kind may have one.
static_assert(std::ranges::all_of(kCauseRules, [](const CauseRule& rule) {
  const bool is_lost = rule.verdict == Verdict::failed || rule.kind == CauseKind::depends;
  return is_lost == (open_reason_of(rule.kind) == nullptr);
}));

OpenReason reason_for(std::optional<CauseKind> kind) {
  const OpenReason* reason = kind ? open_reason_of(*kind) : nullptr;
  return reason != nullptr ? *reason : kOtherReason;
}

OpenReason reason_of(const CheckResult& check) {
  if (check.causes.empty()) return reason_for(std::nullopt);
  return reason_for(check.causes.front().kind);
}

}  // namespace

Status status_of(const CheckResult& check) {
  switch (check.verdict) {
    case Verdict::passed:
      // A passed check without a kernel file that earns no points is upload_once, which belongs to the whole
      // submission.
      if (is_unearned(check) && check.version.empty()) {
        return {"ok", "ok",
                check.open > 0 ? "uploaded once; its points are open until a version can be decided"
                               : "uploaded once; no points until a version is correct",
                Tone::good};
      }
      return {"ok", "ok", "passed", Tone::good};
    case Verdict::failed:
      if (is_not_implemented(check)) return {"todo", "not started", "not implemented yet", Tone::to_do};
      if (check.points > 0 || check.bonus > 0)
        return {"part", "in part", "failed, and earned a part of its points", Tone::bad};
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

Explained explained(const NotDecided& group) {
  const OpenReason reason = reason_for(group.kind);
  return {std::string(reason.reason), group.message.empty() ? std::string(reason.advice) : group.message};
}

std::string_view unearned_title(const std::vector<const CheckResult*>& unearned) {
  const bool all_passed = std::ranges::all_of(
      unearned, [](const CheckResult* check) { return check->verdict == Verdict::passed; });
  return all_passed ? "Passed without points" : "Without points, because of another version";
}

std::vector<Unearned> by_reason(const std::vector<const CheckResult*>& unearned) {
  std::vector<Unearned> all;
  for (const CheckResult* check : unearned) {
    const auto why = std::ranges::find(check->notes, CauseKind::depends, &Cause::kind);
    const std::string reason = why == check->notes.end() ? std::string() : why->message;
    auto same = std::ranges::find(all, reason, &Unearned::reason);
    if (same == all.end()) same = all.insert(all.end(), Unearned{{}, reason});
    same->checks.push_back(check->version.empty() ? check->check
                                                  : fmt::format("{}.{}", check->version, check->check));
  }
  return all;
}

std::string open_text(const Score& score) {
  if (score.open == 0) return "";
  const std::string open = plain_number(score.open);
  const char* const they = score.open == 1 ? "it" : "they";
  const auto need = [](double points) { return points == 1 ? "needs" : "need"; };
  if (score.needs_gpu == score.open) return fmt::format("{} open: {} {} a GPU", open, they, need(score.open));
  if (score.needs_gpu == 0) return fmt::format("{} open: {} could not be decided here", open, they);
  return fmt::format("{} open: {} {} a GPU, the others could not be decided here", open,
                     plain_number(score.needs_gpu), need(score.needs_gpu));
}

std::string score_line(const Score& score) {
  const std::string open = open_text(score);
  const std::string bonus = bonus_text(score);
  return fmt::format("{} of {}{}{}{}{}", plain_number(score.points),
                     counted(score.possible, "point", "points"), bonus.empty() ? "" : " and ", bonus,
                     open.empty() ? "" : "; ", open);
}

std::string bonus_text(const Score& score) {
  return score.bonus == 0 ? "" : counted(score.bonus, "bonus point", "bonus points");
}

std::string points_text(double points, double possible, double bonus, double bonus_possible) {
  const std::string beside = bonus == 0 ? "" : "+" + plain_number(bonus);
  if (points == 0 && possible == 0) return !beside.empty() ? beside : bonus_possible > 0 ? "+0" : "-";
  return fmt::format("{} of {}{}{}", plain_number(points), plain_number(possible), beside.empty() ? "" : " ",
                     beside);
}

std::string part_text(const PointPart& part) {
  return fmt::format(
      "{}: {}",
      counted(part.points, part.bonus ? "bonus point" : "point", part.bonus ? "bonus points" : "points"),
      visible_line(part.name));
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
  const Counts counts = counts_of(grade);
  std::string line;
  for (const auto& [count, name] : {std::pair{counts.passed, "passed"},
                                    {counts.failed, "failed"},
                                    {counts.not_implemented, "not implemented"},
                                    {counts.not_run, "not run"},
                                    {counts.inconclusive, "inconclusive"},
                                    {counts.broken, "broken"}}) {
    if (count != 0) line += fmt::format("{}{} {}", line.empty() ? "" : ", ", count, name);
  }
  return line.empty() ? "nothing was checked" : line;
}

std::string input_line(const Cause& cause) {
  std::vector<std::string> parts;
  if (!cause.type.empty()) parts.push_back(visible_line(cause.type));
  if (cause.n) parts.push_back(visible_line(size_text(cause)));
  if (!cause.seed.empty()) parts.push_back("seed " + visible_line(cause.seed));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string place_of(const Cause& cause) {
  if (cause.file.empty()) return "";
  return visible_line(cause.file) + (cause.line > 0 ? fmt::format(":{}", cause.line) : "");
}

std::string launch_text(const LaunchShape& launch) {
  const auto size = [](const std::vector<std::uint64_t>& sides, const char* one, const char* many) {
    std::string text;
    std::uint64_t volume = 1;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      volume *= sides[i];
      const bool rest_is_one =
          std::all_of(sides.begin() + i, sides.end(), [](auto side) { return side == 1; });
      if (i == 0 || !rest_is_one) text += fmt::format("{}{}", i == 0 ? "" : " x ", grouped(sides[i]));
    }
    return fmt::format("{} {}", text, volume == 1 ? one : many);
  };
  std::string text =
      fmt::format("{}: {} of {}", visible_line(launch.kernel), size(launch.grid, "block", "blocks"),
                  size(launch.block, "thread", "threads"));
  if (launch.shared_bytes > 0)
    text += fmt::format(", {} bytes of shared memory per block", grouped(launch.shared_bytes));
  return text;
}

Rate rate_of(const Measurement& measured) {
  if (measured.gflops > 0) return {measured.gflops, "GFLOP/s"};
  return {measured.gb_per_s, "GB/s"};
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
  if (measured.decided_by == "clock") return "rejected: the time is impossible";
  if (measured.decided_by == "hopeless") return "stopped: slower than the naive kernel in every round";
  if (measured.decided_by == "cap") return "too close to call: 98 % of the required speedup is enough";
  if (measured.decided_by != "interval" || !measured.speedup_span) return "";
  if (!measured.steps.empty()) {
    std::string text;
    for (const double step : measured.steps) {
      if (measured.speedup_span->low >= step) text = fmt::format("certainly {}x", speedup_text(step));
    }
    if (!measured.surely_reached())
      text +=
          fmt::format("{}certainly below {}x", text.empty() ? "" : ", ", speedup_text(measured.threshold));
    return text;
  }
  return measured.surely_reached() ? "certainly fast enough" : "certainly too slow";
}

std::string calibration_text(const Timing& timing) {
  const std::string smaller =
      timing.smaller_size.empty() ? "" : " Timed with " + visible_line(timing.smaller_size) + ".";
  if (timing.probed) {
    return "The required speedups are thresholds from a probe of this GPU, with the course's solution "
           "counted on "
           "the simulator: " +
           visible_line(timing.calibration) + "." + smaller;
  }
  if (!timing.calibration.empty()) {
    return "The required speedups were measured with the course's solution on this GPU model: " +
           visible_line(timing.calibration) + "." + smaller;
  }
  return "This GPU model was not calibrated, so the rubric's default speedups are required. "
         "`warpmark calibrate` measures the course's solution here." +
         smaller;
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

std::string place_text(const std::string& where) {
  return where.empty() ? where : fmt::format(" (on {})", where);
}

std::string unwatched_text(const Grade& grade) {
  std::map<std::string, std::string> versions;  // by reason
  for (const Unwatched& each : grade.unwatched) {
    std::string& named = versions[each.why];
    named += (named.empty() ? "" : ", ") + each.version;
  }
  std::string text;
  for (const auto& [why, named] : versions)
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", named, why);
  if (text.empty()) return text;
  return text +
         ": nobody looked for what a GPU does not record, such as answers that the CPU computes from mapped "
         "memory";
}

}  // namespace warpmark
