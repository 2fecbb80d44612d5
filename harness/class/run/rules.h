// The grading rules: everything that a grade depends on besides the submission.
#pragma once

#include <string>

#include "harness/base/error.h"
#include "harness/class/intake/intake.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// Returns the installed assignments, each with the file names that its default rubric grades: all of them if
// `wanted` is empty, otherwise only the one with that name or folder.
Result<std::vector<KnownAssignment>> known_assignments(const judge::Installation& installation,
                                                       const std::string& wanted);

struct Rules {
  judge::Rubric rubric;
  std::string digest;    // digest of rubric, Warpmark, GPU model, compilers and requested engine
  std::size_t gpus = 0;  // number of GPUs that grading a class may use
};

// Returns the rules by which an assignment is graded. rubric: path; empty for the assignment's default. Fails
// if the rubric is unusable.
Result<Rules> rules_of(const judge::Installation& installation, const judge::Engines& engines,
                       const std::string& assignment, const std::filesystem::path& rubric,
                       const std::string& engine);

// Returns the maximum number of points, which is the same for every student.
double possible_points(const judge::Rubric& rubric);

}  // namespace warpmark::classroom
