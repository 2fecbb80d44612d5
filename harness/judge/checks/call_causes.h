// Causes that the judge finds itself while it asks a version case by case.
#pragma once

#include <cstddef>
#include <string>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// A cause in the version's own file, with what it takes to see the case again.
Cause about(const Case& which, const Blame& blame, CauseKind kind, std::string message);

// The version's share of the time was up after `asked` of `of` cases.
Cause out_of_time(const GradingContext& bench, const std::string& version, std::size_t asked, std::size_t of);
bool is_over(const GradingContext& bench, const std::string& version);

// Of the kind that the assignment gives wrong answers.
bool is_wrong_answer(const GradingContext& bench, const Cause& cause);

}  // namespace warpmark::judge
