#include "harness/program_analysis/compare.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "reports/wording/text.h"

namespace warpmark::program_analysis {
namespace {

constexpr std::size_t kShownColumns = 70;

std::string line_at(std::string_view text, std::size_t number) {
  for (std::size_t i = 1; i < number; ++i) take_line(text);
  return cut_to(visible_line(take_line(text)), kShownColumns);
}

ShownFinding schedule_dependent(bool note, std::string message) {
  ShownFinding finding;
  finding.kind = CauseKind::schedule_dependent;
  finding.note = note;
  finding.message = std::move(message);
  return finding;
}

std::string_view what_it_depends_on(const ProgramMode& mode) {
  if (mode.late) {
    return "when asynchronous work runs, or on which block or warp runs first: wait for launches and copies "
           "(cudaDeviceSynchronize, cudaStreamSynchronize) before their results are used, or the program "
           "ends";
  }
  if (!mode.checking) {
    return "how the compiler optimises it (uninitialised values, a pointer to a type of another size), or on "
           "which block or warp runs first";
  }
  return "which block or warp runs first";
}

// Returns true for units of measured values: "ms", "GB/s", "Mtexels/sec", "GFLOPS".
bool is_unit_of_measurement(std::string_view word) {
  std::string unit(word);
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array<std::string_view, 14> kUnits{"s",       "ms",           "us",   "ns",   "sec",
                                                    "secs",    "msec",         "usec", "nsec", "second",
                                                    "seconds", "milliseconds", "fps",  "hz"};
  return std::ranges::find(kUnits, unit) != kUnits.end() || unit.ends_with("/s") || unit.ends_with("/sec") ||
         unit.find("flop") != std::string::npos;
}

// Returns the line without the numbers that precede a unit of measurement, which differ from run to run.
std::string without_measurements(std::string_view line) {
  const auto is_number = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; };
  const auto is_part = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '/'; };
  std::string kept;
  while (!line.empty()) {
    const auto number = static_cast<std::size_t>(std::ranges::find_if_not(line, is_number) - line.begin());
    if (number == 0) {
      kept += line.front();
      line.remove_prefix(1);
      continue;
    }
    std::string_view behind = line.substr(number);
    behind.remove_prefix(std::min(behind.find_first_not_of(" ([\t"), behind.size()));
    const auto word = static_cast<std::size_t>(std::ranges::find_if_not(behind, is_part) - behind.begin());
    kept += is_unit_of_measurement(behind.substr(0, word)) ? std::string_view("#") : line.substr(0, number);
    line.remove_prefix(number);
  }
  return kept;
}

bool ended_alike(const ProgramRun& one, const ProgramRun& other) {
  return one.stopped == other.stopped && one.status() == other.status();
}

}  // namespace

std::size_t first_difference(std::string_view text, std::string_view other,
                             const std::vector<std::string_view>& controls) {
  std::vector<std::string_view> rest(controls);
  for (std::size_t number = 1; !text.empty() || !other.empty(); ++number) {
    const std::string_view line = take_line(text);
    const std::string_view other_line = take_line(other);
    std::vector<std::string_view> lines;
    lines.reserve(rest.size());
    for (std::string_view& control : rest) lines.push_back(take_line(control));
    const bool steady = std::ranges::adjacent_find(lines, std::not_equal_to<>()) == lines.end();
    if (steady && line != other_line && without_measurements(line) != without_measurements(other_line))
      return number;
  }
  return 0;
}

bool answers_differ(const std::vector<ProgramRun>& runs) {
  return std::ranges::any_of(runs, [&](const ProgramRun& run) {
    return run.output != runs.front().output || !ended_alike(run, runs.front());
  });
}

std::vector<ShownFinding> compare_answers(const std::vector<ProgramRun>& runs,
                                          const std::vector<ProgramRun>& controls) {
  if (controls.empty()) return {};
  std::vector<std::string_view> texts;
  texts.reserve(controls.size());
  for (const ProgramRun& control : controls) texts.emplace_back(control.output);
  for (const ProgramRun& run : runs) {
    if (run.mode == controls.front().mode) texts.emplace_back(run.output);
  }
  const ProgramRun& first = controls.front();
  const bool steady =
      std::ranges::all_of(controls, [&](const ProgramRun& run) { return ended_alike(run, first); });
  for (const ProgramRun& run : runs) {
    if (steady && !ended_alike(run, first)) {
      return {schedule_dependent(
          false,
          fmt::format("{} the program ends with status {}, {} with {}; its answer must not depend on {}",
                      name_of(first.mode), first.status(), name_of(run.mode), run.status(),
                      what_it_depends_on(run.mode)))};
    }
  }
  for (const ProgramRun& run : runs) {
    const std::size_t line = first_difference(first.output, run.output, texts);
    if (line == 0) continue;
    return {schedule_dependent(
        true,
        fmt::format("line {} of the output is \"{}\" {}, but \"{}\" {}; an answer must not depend on {}{}",
                    line, line_at(first.output, line), name_of(first.mode), line_at(run.output, line),
                    name_of(run.mode), what_it_depends_on(run.mode),
                    run.mode.late ? "" : " (sums of floating point values may, in their last digits)"))};
  }
  return {};
}

}  // namespace warpmark::program_analysis
