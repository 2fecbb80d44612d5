// The check `clean` for C++ versions: clang's sanitizers watch calls of small cases.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// watched: the version as built for each sanitizer. Each build runs every case, and small ones a second time
// on the same pointers. Reports each distinct defect once, worst first; wrong answers are left to `correct`.
CheckOutcome check_host_clean(const GradingContext& bench, const std::string& version,
                              const std::vector<BuiltTypes>& watched);

}  // namespace warpmark::judge
