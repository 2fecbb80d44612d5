// `clean` of versions in C++: what clang's sanitizers report while small cases are called.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// watched: the version as built for each sanitizer. Each asks every case, and small ones a second time on the
// same pointers; each distinct defect is reported once, the worst first. A wrong answer is for `correct` to
// tell.
CheckOutcome check_host_clean(const GradingContext& bench, const std::string& version,
                              const std::vector<BuiltTypes>& watched);

}  // namespace warpmark::judge
