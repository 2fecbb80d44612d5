// Grades one submission: plans and builds, sends requests to worker processes, decides and scores. Runs in
// the trusted judge process, which loads no student code and does not link CUDA.
#pragma once

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"
#include "harness/judge/workers/installation.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Grades the submission. Fails only if the command line or the whole submission is unusable (exit status 2).
Result<Grade> grade_submission(const Installation& installation, const GradeOptions& options);

}  // namespace warpmark::judge
