// Decides the contests of a class: bonus points for correct kernel versions whose speed is near that of the
// fastest in the class. The result depends on the grades alone, so a regrade or an import of results decides
// every contest again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/class/journal/journal.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// Returns the speed with which a student enters the contest for one kernel version; nullopt if the student's
// kernel is wrong or its speed was not measured reliably.
std::optional<ContestEntry> entry_of(const Grade& grade, const std::string& version);

// Ranks the students' kernels in one contest, fastest first, and sets each one's bonus points by how much
// slower it is than the fastest kernel measured on the same GPU model. The comparison uses the confidence
// intervals of both speeds, so that measurement noise costs no points.
ContestResult decide(const judge::Contest& contest, const std::string& version,
                     std::vector<ContestEntry> entries);

// Decides all contests of the rubric from the class's current grades or from those of a regrade; empty if the
// rubric has no contest.
std::vector<ContestResult> contests_in(const Journal& journal, Shelf shelf, const TakenClass& taken,
                                       const judge::Rubric& rubric);

// Returns the bonus points that one student won in the contests, per kernel version.
std::vector<ContestShare> shares_of(const std::vector<ContestResult>& contests, const std::string& id,
                                    const judge::Rubric& rubric);

}  // namespace warpmark::classroom
