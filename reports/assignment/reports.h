// Reports of `warpmark assignment check`, which an instructor runs before handing out an assignment. The
// functions are pure: their results depend on the AssignmentReport alone.
#pragma once

#include <string>
#include <vector>

#include "harness/model/assignment_report.h"
#include "harness/model/feedback_report.h"
#include "reports/reports.h"

namespace warpmark {

std::string to_console(const AssignmentReport& report, const ConsoleStyle& style);
std::string to_html(const AssignmentReport& report);

// Returns the tables of `warpmark assignment check --feedback` as Markdown: one row per assignment, and one
// per kind of change, those explained worst first.
std::string to_markdown(const std::vector<FeedbackReport>& reports);

// Sentences about a checked assignment that its terminal report and its HTML report share.
std::string verdict_text(const AssignmentReport& report);
std::string mutants_text(const AssignmentReport& report);
std::string costs_text(const AssignmentReport& report);
std::string name_of(Fate fate);

// Result of mutation testing (the checks run on kernels into which one fault each was inserted) for one kind
// of change, such as a removed barrier: number of mutants that the checks caught, number that survived, and
// so on.
struct KindCount {
  std::string name;
  std::string what;
  std::size_t all = 0, failed = 0, survived = 0, equivalent = 0, same_code = 0, not_compiled = 0, other = 0;
};
std::vector<KindCount> counts_by_kind(const AssignmentReport& report);

}  // namespace warpmark
