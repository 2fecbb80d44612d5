// Joins the two parts of a grade that two machines made of one submission: one machine with a GPU, which ran
// GradeOptions::gpu_part, and one that ran everything else on the simulator and the CPU.
#pragma once

#include <string>

#include "harness/judge/grade_options.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Returns the rubric without what needs no GPU: plain C++ versions and the checks `clean` and `work`.
Rubric gpu_part_of(Rubric rubric);

// Returns true if a GPU decides some check that the options select.
bool has_gpu_part(const Rubric& rubric, const GradeOptions& options);

// The GPU's part of a grade and the machine that made it.
struct GpuPart {
  Grade grade;
  std::string where;  // "ssh:gpu01"
};

// Returns the grade that one machine with a GPU would have made. `here` is the whole grade on the simulator,
// made with the same seed. A check that the GPU decides fails if the simulator found a failure in the same
// calls. Checks that the other machine could not run keep their result on the simulator. Fails if the two
// parts are of different submissions or Warpmark versions.
Result<Grade> joined(Grade here, const GpuPart& part, const Rubric& rubric, const GradeOptions& options);

// Returns the grade on the simulator after the other machine failed: `why` replaces the reason of each check
// that needs a GPU, becomes a remark and decides the exit status.
Grade without_gpu_part(Grade here, const Cause& why, const Rubric& rubric);

}  // namespace warpmark::judge
