// Combines submissions, grades and corrections into the result of a class. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/class/journal/journal.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// Combines students' submissions, grades and the instructor's corrections into the result of a class.
// contests: the decided contests (contests_in()), whose bonus points are added.
ClassResult compose(const TakenClass& taken, const std::map<std::string, Outcome>& outcomes,
                    const std::map<std::string, Correction>& corrections, const judge::Rubric& rubric,
                    const std::vector<ContestResult>& contests = {});

// Returns the points that the late policy deducts: a percentage of `points` per started day after the grace
// days.
double late_deduction(const judge::Rubric::Late& policy, double points, double days);

// Returns sentences for the student about contests, lateness and the instructor's corrections, one per
// adjustment.
std::vector<std::string> adjustments_of(const StudentResult& student);

}  // namespace warpmark::classroom
