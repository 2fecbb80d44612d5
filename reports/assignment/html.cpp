// Renders the HTML report of `warpmark assignment check`, which an instructor runs before handing out an
// assignment, with templates/assignment.mustache.
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "reports/assignment/reports.h"
#include "reports/templates/page.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

std::string tone(Standing standing) {
  switch (standing) {
    case Standing::fine:
      return "good";
    case Standing::remark:
      return "doubtful";
    case Standing::elsewhere:
      return "to-do";
    case Standing::open:
      break;
  }
  return "bad";
}

std::string word(Standing standing) {
  switch (standing) {
    case Standing::fine:
      return "ok";
    case Standing::remark:
      return "remark";
    case Standing::elsewhere:
      return "not decided here";
    case Standing::open:
      break;
  }
  return "open";
}

mstch::array shown(const std::vector<AssignmentFinding>& findings) {
  mstch::array rows;
  for (const AssignmentFinding& finding : findings) {
    const std::string place =
        finding.file.empty()
            ? ""
            : fmt::format("{}{}", finding.file, finding.line > 0 ? fmt::format(":{}", finding.line) : "");
    rows.push_back(mstch::map{{"tone", tone(finding.standing)},
                              {"word", word(finding.standing)},
                              {"place", visible_line(place)},
                              {"message", visible_line(finding.message)},
                              {"has_details", !finding.details.empty()},
                              {"details", shortened(visible(finding.details), 20'000)}});
  }
  return rows;
}

mstch::array shown_worth(const AssignmentReport& report) {
  mstch::array rows;
  for (const WorthRow& row : report.worth) {
    rows.push_back(mstch::map{{"tone", tone(row.standing)},
                              {"word", word(row.standing)},
                              {"submission", visible_line(row.submission)},
                              {"engine", row.engine},
                              {"version", visible_line(row.version)},
                              {"points", plain_number(row.points)},
                              {"possible", plain_number(row.possible)},
                              {"open_points", plain_number(row.open)},
                              {"at_most", plain_number(row.at_most)},
                              {"why", visible_line(row.why)}});
  }
  return rows;
}

mstch::array shown_mutants(const AssignmentReport& report, bool survivors) {
  mstch::array rows;
  for (const MutantResult& mutant : report.mutants) {
    const bool survived = mutant.fate == Fate::survived || mutant.fate == Fate::undecided;
    if (survived != survivors) continue;
    rows.push_back(
        mstch::map{{"mutant_place", visible_line(fmt::format("{}:{}", mutant.file, mutant.line))},
                   {"mutant_line", source_line(mutant.line_text)},
                   {"mutant_edit", visible_line(mutant.edit)},
                   {"mutant_kind", mutant.kind},
                   {"mutant_nth", mutant.nth > 1 ? fmt::format("nth = {}", mutant.nth) : std::string()},
                   {"mutant_fate", name_of(mutant.fate)},
                   {"mutant_check", mutant.check},
                   {"mutant_reason", visible_line(cut_to(mutant.reason, 120))},
                   {"mutant_remedy", visible_line(mutant.remedy)}});
  }
  return rows;
}

mstch::array shown_kinds(const AssignmentReport& report) {
  mstch::array rows;
  for (const KindCount& kind : counts_by_kind(report)) {
    rows.push_back(mstch::map{{"kind_name", kind.name},
                              {"kind_what", visible_line(kind.what)},
                              {"kind_all", std::to_string(kind.all)},
                              {"kind_failed", std::to_string(kind.failed)},
                              {"kind_survived", std::to_string(kind.survived)},
                              {"kind_equivalent", std::to_string(kind.equivalent)},
                              {"kind_same", std::to_string(kind.same_code)},
                              {"kind_not", std::to_string(kind.not_compiled)},
                              {"kind_other", std::to_string(kind.other)}});
  }
  return rows;
}

mstch::array shown_costs(const AssignmentReport& report) {
  mstch::array rows;
  for (const CheckCost& cost : report.costs) {
    rows.push_back(mstch::map{{"cost_version", visible_line(cost.version)},
                              {"cost_check", cost.check},
                              {"cost_seconds", fmt::format("{:.2f}", cost.seconds)}});
  }
  return rows;
}

}  // namespace

std::string to_html(const AssignmentReport& report) {
  mstch::array engines;
  for (const std::string& engine : report.engines)
    engines.push_back(mstch::map{{"engine_text", visible_line(engine)}});
  const mstch::array survivors = shown_mutants(report, true);
  const mstch::map view{{"assignment", visible_line(report.assignment)},
                        {"about", visible_line(report.title)},
                        {"folder", visible_line(report.folder)},
                        {"verdict", verdict_text(report)},
                        {"verdict_tone", std::string(report.exit_status() == 0 ? "good" : "bad")},
                        {"engines", engines},
                        {"tool_version", report.tool_version},
                        {"checked_at", report.checked_at},
                        {"reading", shown(report.reading)},
                        {"expected", shown(report.expected)},
                        {"has_worth", !report.worth.empty()},
                        {"worth", shown_worth(report)},
                        {"has_mutants", !report.mutants.empty()},
                        {"mutants_text", mutants_text(report)},
                        {"has_survivors", !survivors.empty()},
                        {"survivors", survivors},
                        {"others", shown_mutants(report, false)},
                        {"kinds", shown_kinds(report)},
                        {"has_costs", !report.costs.empty()},
                        {"costs_text", costs_text(report)},
                        {"costs", shown_costs(report)},
                        {"has_gaps", !report.gaps.empty()},
                        {"gaps", shown(report.gaps)}};
  return render_page("assignment", view, {"style"});
}

}  // namespace warpmark
