// From what the journal holds to what the class got. Pure functions.
#pragma once

#include <map>
#include <string>

#include "harness/class/journal/journal.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

ClassResult compose(const TakenClass& taken, const std::map<std::string, Outcome>& outcomes,
                    const std::map<std::string, Correction>& corrections, const judge::Rubric& rubric);

// What the policy takes off `points`: a percentage of them for every day begun after the grace days.
double late_deduction(const judge::Rubric::Late& policy, double points, double days);

// What a student has to know of the calendar and of the instructor's corrections, a sentence each.
std::vector<std::string> adjustments_of(const StudentResult& student);

}  // namespace warpmark::classroom
