// The check `clean` for plain C++ code: calls with small inputs under clang's sanitizers.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// `watched` holds one build of the submitted file per sanitizer. Each build runs every test input, and small
// ones a second time on the same pointers. Reports each distinct defect once, worst first; wrong results are
// left to the check `correct`.
CheckOutcome check_host_clean(const GradingContext& bench, const std::string& version,
                              const std::vector<BuiltTypes>& watched);

}  // namespace warpmark::judge
