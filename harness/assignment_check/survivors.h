// Suggests tests that would have caught a surviving mutant (a wrong copy of the solution that passes all
// checks).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Threads per warp. Test sizes that are all multiples of it leave no warp or block partly filled, so that a
// missing bounds test goes unnoticed.
inline constexpr std::uint64_t kWarp = 32;

// Names the test size, check or limit that would probably catch a surviving mutant. source: source text of
// the solution that the mutant was made from.
std::string remedy_for(const Setting& setting, const MutantResult& survivor, std::string_view source);

// Reports tables of test sizes (those of the checks `correct` and `clean`) in which a dimension has only
// multiples of the warp size, so that a missing bounds test does no harm.
std::vector<AssignmentFinding> gaps_of_sizes(const Setting& setting);

// Maps each version and check to the first trial submission that fails the check: its name, or "a mutant".
using Failed = std::map<std::string, std::map<std::string, std::string>>;

// Reports the checks of versions with graded mutants that neither a mutant nor another trial submission
// fails, so that nothing shows that they test anything.
std::vector<AssignmentFinding> gaps_of_checks(const Setting& setting,
                                              const std::vector<MutantResult>& mutants, const Failed& failed);

}  // namespace warpmark::assignment_check
