// Prints the report of `warpmark assignment check`, which an instructor runs before handing out an
// assignment, on a terminal.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "reports/assignment/reports.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

std::string coloured(const ConsoleStyle& style, const char* code, const std::string& text) {
  return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string mark(Standing standing, const ConsoleStyle& style) {
  switch (standing) {
    case Standing::fine:
      return coloured(style, "32", "ok    ");
    case Standing::remark:
      return coloured(style, "33", "remark");
    case Standing::elsewhere:
      return "later ";
    case Standing::open:
      break;
  }
  return coloured(style, "31", "OPEN  ");
}

class Text {
 public:
  explicit Text(const ConsoleStyle& style) : style_(style) {}

  void head(std::string_view title) {
    text_ += fmt::format("\n{}\n", coloured(style_, "1", std::string(title)));
  }
  void line(const std::string& line) { text_ += line + "\n"; }
  void indented(const std::string& words, std::size_t indent) {
    const auto width = static_cast<std::size_t>(std::max(style_.width, 60)) - indent;
    for (const std::string& each : wrapped(visible_line(words), width)) line(std::string(indent, ' ') + each);
  }
  void finding(const AssignmentFinding& finding) {
    std::string message = finding.message;
    if (!finding.file.empty())
      message = fmt::format("{}{}: {}", finding.file,
                            finding.line > 0 ? fmt::format(":{}", finding.line) : "", message);
    marked(finding.standing, message);
    if (finding.details.empty()) return;
    std::string_view rest = finding.details;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line("           " + source_line(rest.substr(0, end)));
      rest.remove_prefix(std::min(rest.size(), end + 1));
    }
  }
  void marked(Standing standing, const std::string& words) {
    const auto width = static_cast<std::size_t>(std::max(style_.width, 60)) - 9;
    bool first = true;
    for (const std::string& each : wrapped(visible_line(words), width)) {
      line((first ? fmt::format("  {} ", mark(standing, style_)) : std::string(9, ' ')) + each);
      first = false;
    }
  }
  [[nodiscard]] const ConsoleStyle& style() const { return style_; }
  std::string take() { return std::move(text_); }

 private:
  ConsoleStyle style_;
  std::string text_;
};

void put_worth(Text& text, const AssignmentReport& report) {
  if (report.worth.empty()) return;
  text.head("What submissions earn");
  text.line(fmt::format("         {} {} {} {}", padded("submission", 24), padded("version", 26),
                        padded_left("points", 16), padded_left("at most", 9)));
  for (const WorthRow& row : report.worth) {
    const std::string points = fmt::format("{} of {}", plain_number(row.points), plain_number(row.possible));
    text.line(fmt::format("  {} {} {} {} {}", mark(row.standing, text.style()),
                          padded(cut_to(row.submission + ", " + row.engine, 24), 24),
                          padded(cut_to(visible_line(row.version), 26), 26), padded_left(points, 16),
                          padded_left(plain_number(row.at_most), 9)));
    if (row.standing == Standing::open || row.standing == Standing::remark) text.indented(row.why, 9);
  }
}

// Returns the entry of `equivalent` in assignment.toml that lists the mutant.
std::string equivalent_entry(const MutantResult& mutant) {
  const auto quoted = [](const std::string& text) {
    return "\"" + replaced(text, {{'\\', "\\\\"}, {'"', "\\\""}, {'\t', "\\t"}}) + "\"";
  };
  return fmt::format("{{line = {}, edit = {}{}}}", quoted(visible_line(mutant.line_text)),
                     quoted(mutant.edit), mutant.nth > 1 ? fmt::format(", nth = {}", mutant.nth) : "");
}

void put_survivors(Text& text, const AssignmentReport& report, Fate fate, std::string_view title) {
  if (report.count(fate) == 0) return;
  text.head(title);
  for (const MutantResult& mutant : report.mutants) {
    if (mutant.fate != fate) continue;
    text.line(
        fmt::format("  {}:{}: {}", visible_line(mutant.file), mutant.line, source_line(mutant.line_text)));
    text.indented(fmt::format("{} ({}{})", mutant.edit, mutant.kind,
                              mutant.nth > 1 ? fmt::format(", nth = {}", mutant.nth) : ""),
                  6);
    if (!mutant.remedy.empty()) text.indented("would be caught by: " + mutant.remedy, 6);
    if (fate == Fate::undecided) text.indented(mutant.reason, 6);
  }
  if (fate != Fate::survived) return;
  text.line("  What is right, too, is listed in assignment.toml, above the first table:");
  text.line("equivalent = [");
  for (const MutantResult& mutant : report.mutants) {
    if (mutant.fate == fate) text.line("  " + equivalent_entry(mutant) + ",");
  }
  text.line("]");
}

void put_mutants(Text& text, const AssignmentReport& report) {
  if (report.mutants.empty() && report.worth.empty()) return;
  text.head("Mutants");
  if (report.mutants.empty())
    return text.indented("None was graded: a version's mutants wait for its solution to earn full marks.", 2);
  text.indented(mutants_text(report), 2);
  text.line(fmt::format("  {} {} {} {} {} {} {}", padded("change", 12), padded_left("all", 6),
                        padded_left("failed", 8), padded_left("survived", 9), padded_left("same code", 10),
                        padded_left("no program", 11), "what is changed"));
  for (const KindCount& kind : counts_by_kind(report)) {
    if (kind.all == 0) continue;
    text.line(
        fmt::format("  {} {:>6} {:>8} {:>9} {:>10} {:>11} {}", padded(kind.name, 12), kind.all, kind.failed,
                    kind.survived, kind.same_code, kind.not_compiled,
                    cut_to(kind.what, static_cast<std::size_t>(std::max(text.style().width, 100)) - 62)));
  }
  put_survivors(text, report, Fate::survived, "Survivors");
  put_survivors(text, report, Fate::undecided, "Mutants that could not be decided");
}

void put_costs(Text& text, const AssignmentReport& report) {
  if (report.costs.empty()) return;
  text.head("Costs on this machine, in seconds");
  std::map<std::string, std::map<std::string, double>> rows;
  std::vector<std::string> versions;
  for (const CheckCost& cost : report.costs) {
    if (!rows.contains(cost.version)) versions.push_back(cost.version);
    rows[cost.version][cost.check] += cost.seconds;
  }
  text.line(fmt::format("  {} {:>8} {:>8} {:>8} {:>8} {:>8}", padded("version", 28), "builds", "correct",
                        "clean", "work", "fast"));
  for (const std::string& version : versions) {
    std::string line = fmt::format("  {}", padded(cut_to(visible_line(version), 28), 28));
    for (const char* check : {"builds", "correct", "clean", "work", "fast"}) {
      const auto found = rows[version].find(check);
      line += found == rows[version].end() ? std::string(9, ' ') : fmt::format(" {:>8.2f}", found->second);
    }
    text.line(line);
  }
  text.indented(costs_text(report), 2);
}

}  // namespace

std::string name_of(Fate fate) {
  switch (fate) {
    case Fate::failed:
      return "failed";
    case Fate::survived:
      return "survived";
    case Fate::equivalent:
      return "equivalent";
    case Fate::same_code:
      return "same code";
    case Fate::not_compiled:
      return "no program";
    case Fate::out_of_reach:
      return "out of reach";
    case Fate::undecided:
      break;
  }
  return "undecided";
}

std::vector<KindCount> counts_by_kind(const AssignmentReport& report) {
  std::vector<KindCount> counts;
  for (const MutantKind& kind : report.kinds) {
    KindCount count{kind.name, kind.what};
    for (const MutantResult& mutant : report.mutants) {
      if (mutant.kind != kind.name) continue;
      ++count.all;
      switch (mutant.fate) {
        case Fate::failed:
          ++count.failed;
          break;
        case Fate::survived:
          ++count.survived;
          break;
        case Fate::equivalent:
          ++count.equivalent;
          break;
        case Fate::same_code:
          ++count.same_code;
          break;
        case Fate::not_compiled:
          ++count.not_compiled;
          break;
        case Fate::out_of_reach:
        case Fate::undecided:
          ++count.other;
          break;
      }
    }
    counts.push_back(std::move(count));
  }
  return counts;
}

std::string verdict_text(const AssignmentReport& report) {
  const std::size_t open = report.count(Standing::open);
  const std::size_t elsewhere = report.count(Standing::elsewhere);
  std::string text = open == 0 ? "Ready: nothing is left open"
                               : fmt::format("Not ready: {} left open",
                                             counted(static_cast<double>(open), "thing is", "things are"));
  if (report.stopped) text += "; nothing was graded, because of the mistakes in its files";
  if (open == 0 && report.mutants.size() < report.all_mutants)
    text += fmt::format("; {} of {} mutants were graded: --mutants 0 grades all", report.mutants.size(),
                        report.all_mutants);
  if (elsewhere > 0)
    text += fmt::format("; {} decided here (they need a GPU, or what else is missing)",
                        counted(static_cast<double>(elsewhere), "is not", "are not"));
  return text + ".";
}

std::string mutants_text(const AssignmentReport& report) {
  std::map<std::string, std::size_t> checks;
  for (const MutantResult& mutant : report.mutants) {
    if (mutant.fate == Fate::failed) ++checks[mutant.check];
  }
  std::string by;
  for (const char* check : {"correct", "clean", "work"}) {
    if (checks[check] > 0) by += fmt::format("{}{} by `{}`", by.empty() ? "" : ", ", checks[check], check);
  }
  std::string text = fmt::format("{} of {} mutants of the solutions were graded in {:.0f} s",
                                 report.mutants.size(), report.all_mutants, report.mutant_seconds);
  if (report.mutants.size() < report.all_mutants)
    text += fmt::format(" (a sample, --seed {}; --mutants 0 grades all)", report.seed);
  text += fmt::format(": {} failed ({}), {} survived", report.count(Fate::failed), by.empty() ? "none" : by,
                      report.count(Fate::survived));
  for (const auto& [fate, what] : {std::pair{Fate::equivalent, "are listed as equivalent"},
                                   std::pair{Fate::same_code, "compile to the solution's code"},
                                   std::pair{Fate::not_compiled, "are no programs"},
                                   std::pair{Fate::out_of_reach, "would show at huge sizes alone"},
                                   std::pair{Fate::undecided, "could not be decided"}}) {
    if (report.count(fate) > 0) text += fmt::format(", {} {}", report.count(fate), what);
  }
  return text + ".";
}

std::string costs_text(const AssignmentReport& report) {
  const double one = report.seconds_of_a_grading();
  const double all = one * static_cast<double>(report.class_size) / std::max(1U, report.jobs);
  const std::string time = all < 120    ? fmt::format("{:.0f} s", all)
                           : all < 7200 ? fmt::format("{:.0f} min", all / 60)
                                        : fmt::format("{:.1f} h", all / 3600);
  return fmt::format(
      "A grading of all versions takes {:.1f} s of one core; a class of {} takes about {} on {}.", one,
      report.class_size, time, counted(report.jobs, "core", "cores"));
}

std::string to_console(const AssignmentReport& report, const ConsoleStyle& style) {
  Text text(style);
  text.line(fmt::format("{}: {}", visible_line(report.assignment),
                        visible_line(report.title.empty() ? report.folder : report.title)));
  for (const std::string& engine : report.engines) text.line(visible_line(engine));
  text.head("Files");
  for (const AssignmentFinding& finding : report.reading) text.finding(finding);
  for (const AssignmentFinding& finding : report.expected) text.finding(finding);
  put_worth(text, report);
  put_mutants(text, report);
  put_costs(text, report);
  if (!report.gaps.empty()) {
    text.head("What the rules leave open");
    for (const AssignmentFinding& finding : report.gaps) text.finding(finding);
  }
  text.line("");
  text.line(coloured(style, report.exit_status() == 0 ? "32" : "31", verdict_text(report)));
  return text.take();
}

}  // namespace warpmark
