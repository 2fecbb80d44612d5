// Decides the contests of a class: bonus points for versions whose speed is near that of the fastest right
// one. They follow from the grades alone, so that a regrade or an import decides them anew.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/class/journal/journal.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// Returns the speed with which a grade enters the contest of a version; nullopt if the version is not right,
// or its speed was not measured reliably.
std::optional<ContestEntry> entry_of(const Grade& grade, const std::string& version);

// Sorts the entries, fastest first, and gives each its points by its distance from the fastest that was
// measured on the same device. Both intervals decide, as for `fast`.
ContestResult decide(const judge::Contest& contest, const std::string& version,
                     std::vector<ContestEntry> entries);

// Decides all contests of the rubric from the grades of one shelf; empty if it has none.
std::vector<ContestResult> contests_in(const Journal& journal, Shelf shelf, const TakenClass& taken,
                                       const judge::Rubric& rubric);

// Returns what one student won.
std::vector<ContestShare> shares_of(const std::vector<ContestResult>& contests, const std::string& id,
                                    const judge::Rubric& rubric);

}  // namespace warpmark::classroom
