// What would have shown a mutant that no check failed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Threads of a warp: sizes that are multiples of it leave no partly filled warp or block.
inline constexpr std::uint64_t kWarp = 32;

// Names the size, check or limit that would probably catch a survivor. source: of the solution.
std::string remedy_for(const Setting& setting, const MutantResult& survivor, std::string_view source);

// Finds sizes that miss what mutants show: only multiples of a warp in `correct` or `clean`.
std::vector<AssignmentFinding> gaps_of_sizes(const Setting& setting);

// Checks that something failed, by version: the name of the submission, or "a mutant".
using Failed = std::map<std::string, std::map<std::string, std::string>>;

// Finds checks of versions of which mutants were graded that nothing fails.
std::vector<AssignmentFinding> gaps_of_checks(const Setting& setting,
                                              const std::vector<MutantResult>& mutants, const Failed& failed);

}  // namespace warpmark::assignment_check
