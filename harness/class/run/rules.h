// What a grade depends on besides the submission.
#pragma once

#include <string>

#include "harness/base/error.h"
#include "harness/class/intake/intake.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// Every assignment of this installation with the files that its own rubric names.
Result<std::vector<KnownAssignment>> known_assignments(const judge::Installation& installation);

struct Rules {
  judge::Rubric rubric;
  std::string
      digest;  // of the rubric, the harness, the machine's class (GPU, compilers) and the engine asked for
};

// rubric: empty for the assignment's own. Fails when it cannot be used.
Result<Rules> rules_of(const judge::Installation& installation, const judge::Engines& engines,
                       const std::string& assignment, const std::filesystem::path& rubric,
                       const std::string& engine);

// The points that there are for everybody.
double possible_points(const judge::Rubric& rubric);

}  // namespace warpmark::classroom
