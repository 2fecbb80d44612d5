// Markdown tables of `warpmark assignment check --feedback`.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "reports/assignment/reports.h"

namespace warpmark {
namespace {

std::string share(std::size_t part, std::size_t of) {
  if (of == 0) return "-";
  return fmt::format("{} ({:.0f} %)", part, 100.0 * static_cast<double>(part) / static_cast<double>(of));
}

std::string row_of(const std::string& name, const FeedbackCount& count) {
  return fmt::format("| {} | {} | {} | {} | {} |\n", name, count.failed, share(count.line, count.failed),
                     share(count.kind_too, count.failed), share(count.both, count.failed));
}

constexpr const char* kColumns =
    "failing mutants | line named | kind named | both |\n|---|---:|---:|---:|---:|\n";

std::string table_of_kinds(const std::vector<FeedbackMutant>& mutants) {
  std::string text = fmt::format("| change | {}", kColumns);
  for (const FeedbackCount& count : counts_by_kind(mutants)) text += row_of(count.kind, count);
  return text;
}

}  // namespace

std::string to_markdown(const std::vector<FeedbackReport>& reports) {
  std::vector<FeedbackMutant> all;
  for (const FeedbackReport& report : reports) std::ranges::copy(report.mutants, std::back_inserter(all));
  std::string text =
      "# Feedback, measured by mutants\n\n"
      "Each mutant is a solution with one small change. It is graded as a student's files are; counted is "
      "whether the first cause on the page names the changed line (within two lines) and the kind of change. "
      "Kinds that are explained worst come first.\n\n";
  text += fmt::format("| assignment | {}", kColumns);
  for (const FeedbackReport& report : reports) text += row_of(report.assignment, count_of(report.mutants));
  if (reports.size() > 1) {
    text += row_of("all", count_of(all)) + "\n## All assignments, by kind of change\n\n";
    text += table_of_kinds(all);
  }
  for (const FeedbackReport& report : reports) {
    text += fmt::format(
        "\n## {0}\n\n`warpmark assignment check {0} --feedback --mutants {1} --seed {2}`, {3}, {4}. Of {1} "
        "mutants (of {5}), {6} failed, {7} passed, {8} did not compile.\n\n",
        report.assignment, report.graded, report.seed, report.made_at, report.machine, report.all_mutants,
        report.mutants.size(), report.passed, report.no_program);
    text += table_of_kinds(report.mutants);
  }
  return text;
}

}  // namespace warpmark
