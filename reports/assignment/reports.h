// Reports of `warpmark assignment check`: pure functions of the model.
#pragma once

#include <string>

#include "harness/model/assignment_report.h"
#include "reports/reports.h"

namespace warpmark {

std::string to_console(const AssignmentReport& report, const ConsoleStyle& style);
std::string to_html(const AssignmentReport& report);

// Sentences that both reports show.
std::string verdict_text(const AssignmentReport& report);
std::string mutants_text(const AssignmentReport& report);
std::string costs_text(const AssignmentReport& report);
std::string name_of(Fate fate);

// Mutants of one kind, by fate.
struct KindCount {
  std::string name;
  std::string what;
  std::size_t all = 0, failed = 0, survived = 0, equivalent = 0, same_code = 0, not_compiled = 0, other = 0;
};
std::vector<KindCount> counts_by_kind(const AssignmentReport& report);

}  // namespace warpmark
