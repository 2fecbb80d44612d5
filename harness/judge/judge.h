// Grades one submission: plans, builds, asks workers, decides, scores. This is the trusted process: it loads
// no student code and links no CUDA.
#pragma once

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"
#include "harness/judge/workers/installation.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Fails only if the command line or the whole submission is unusable (exit status 2).
Result<Grade> grade_submission(const Installation& installation, const GradeOptions& options);

}  // namespace warpmark::judge
