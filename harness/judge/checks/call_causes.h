// Causes that the judge itself finds while it checks a version case by case.
#pragma once

#include <cstddef>
#include <string>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Makes a cause in the version's own file, with type, size and seed of the case to reproduce it.
Cause about(const Case& which, const Blame& blame, CauseKind kind, std::string message);

// out_of_time: cause for a version whose share of the time budget expired after `asked` of `of` cases.
// is_over: true if it has expired.
Cause out_of_time(const GradingContext& bench, const std::string& version, std::size_t asked, std::size_t of);
bool is_over(const GradingContext& bench, const std::string& version);

// Returns true if the cause has the kind that the assignment uses for wrong answers.
bool is_wrong_answer(const GradingContext& bench, const Cause& cause);

// Sets the cause's file and line to those of the transfer, if known.
void point_to(Cause& cause, const AuditedTransfer& transfer, const Blame& blame);

}  // namespace warpmark::judge
