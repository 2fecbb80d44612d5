// Renders a table of measured times, one row per implementation and one column per input size, for a
// terminal and for README files.
#include <algorithm>

#include <fmt/format.h>

#include "reports/ladder_pages/ladder_table.h"
#include "reports/reports.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr std::string_view kBegin = "<!-- ladder -->";
constexpr std::string_view kEnd = "<!-- /ladder -->";
constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kNameWidth = 24;

std::string bold(const ConsoleStyle& style, const std::string& text) {
  return style.colour ? fmt::format("\x1b[1m{}\x1b[0m", text) : text;
}

std::string paragraph(const std::string& text, const ConsoleStyle& style) {
  std::string out;
  for (const std::string& line : wrapped(text, static_cast<std::size_t>(std::max(style.width, 60)))) {
    out += line + "\n";
  }
  return out;
}

// Returns the date, duration and Warpmark version of a measurement.
std::string when(const BenchSetting& setting) {
  return fmt::format("{} UTC, {:.0f} s, Warpmark {}", setting.date, setting.seconds, setting.tool_version);
}

}  // namespace

std::string to_console(const Ladder& ladder, const ConsoleStyle& style) {
  const LadderTable table = table_of(ladder);
  std::string out = bold(style, fmt::format("{}, {}", visible_line(ladder.submission), ladder.type)) + "\n";
  out += paragraph(machine_text(ladder.setting), style) + "\n";
  std::string head = padded("milliseconds per call", kNameWidth);
  for (const std::uint64_t n : table.sizes) head += padded_left(power_text(n), kTimeWidth);
  head += padded_left(table.rate_unit, kTimeWidth) + padded_left("of peak", kTimeWidth);
  if (!table.baseline.empty())
    head += padded_left(fmt::format("over {}", table.baseline.substr(0, 3)), kTimeWidth);
  out += bold(style, head) + "\n";
  std::string notes;
  for (const LadderRow& row : table.rows) {
    std::string line = padded(cut_to(visible_line(row.name), kNameWidth), kNameWidth);
    for (const std::string& time : row.times) line += padded_left(time, kTimeWidth);
    line += padded_left(row.rate, kTimeWidth);
    line += padded_left(row.of_peak.empty() ? "" : row.of_peak + " %", kTimeWidth);
    line += padded_left(row.speedup, kTimeWidth);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    if (!row.note.empty()) notes += paragraph(fmt::format("{}: {}", row.name, visible_line(row.note)), style);
  }
  if (!notes.empty()) out += fmt::format("\n{}", notes);
  out += '\n';
  out += paragraph(method_text(ladder), style);
  out += paragraph(widest_text(table), style);
  return out + when(ladder.setting) + "\n";
}

std::string to_markdown(const Ladder& ladder) {
  const LadderTable table = table_of(ladder);
  const std::uint64_t last = table.sizes.empty() ? 0 : table.sizes.back();
  std::string out = fmt::format("| {}, ms |", ladder.type);
  std::string rule = "|---|";
  for (const std::uint64_t n : table.sizes) {
    out += fmt::format(" {} |", power_text(n));
    rule += "--:|";
  }
  out += fmt::format(" {} at {} | of peak | times {} |\n{}--:|--:|--:|\n", table.rate_unit, power_text(last),
                     table.baseline.substr(0, 3), rule);
  for (const LadderRow& row : table.rows) {
    out += row.cpu ? fmt::format("| {} |", row.name) : fmt::format("| `{}` |", row.name);
    for (const std::string& time : row.times) out += fmt::format(" {} |", time);
    out += fmt::format(" {} | {} | {} |\n", row.rate, row.of_peak.empty() ? "" : row.of_peak + " %",
                       row.speedup);
  }
  const std::string note = fmt::format("{}, {} UTC. {} {}", machine_text(ladder.setting), ladder.setting.date,
                                       method_text(ladder), widest_text(table));
  return fmt::format("{}\n{}", out, paragraph(note, {false, 120}));
}

Result<std::string> with_ladder(std::string_view text, const Ladder& ladder) {
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return fail(fmt::format("the file has no place for the table: add the lines {} and {} where it belongs",
                            kBegin, kEnd));
  }
  const std::size_t inside = begin + kBegin.size();
  return fmt::format("{}\n{}{}", text.substr(0, inside), to_markdown(ladder), text.substr(end));
}

std::string with_place_for_ladder(std::string text) {
  if (text.find(kBegin) != std::string::npos) return text;
  return fmt::format("{}\n## The course's versions, measured\n\n{}\n{}\n", text, kBegin, kEnd);
}

std::string to_console(const Comparison& comparison, const ConsoleStyle& style) {
  std::string out = bold(style, fmt::format("{} against {}", comparison.first, comparison.second)) + "\n";
  out += paragraph(machine_text(comparison.setting), style) + "\n";
  out += bold(style, fmt::format("{:<7}{:>7}{:>12}{:>12}{:>9}   {:<18}{:>9}{:>8}", "type", "size",
                                 "first, ms", "second, ms", "ratio", "interval", "GB/s", "rounds")) +
         "\n";
  for (const ComparedSize& size : comparison.sizes) {
    const std::string place = power_text(size.n) + (size.aligned ? "" : "+1");
    if (size.rounds == 0) {
      out += fmt::format("{:<7}{:>7}  {}\n", size.type, place, visible_line(size.note));
      continue;
    }
    out += fmt::format("{:<7}{:>7}{:>12}{:>12}{:>9.3f}   {:<18}{:>9}{:>8}\n", size.type, place,
                       milliseconds(size.first_ms), milliseconds(size.second_ms), size.ratio,
                       size.high > 0 ? fmt::format("[{:.3f}, {:.3f}]", size.low, size.high) : "",
                       rate_text(size.gb_per_s), size.rounds);
  }
  out += '\n';
  out += paragraph(method_text(comparison) + " +1: misaligned.", style);
  return out + when(comparison.setting) + "\n";
}

}  // namespace warpmark
