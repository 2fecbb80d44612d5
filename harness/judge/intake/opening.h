// Opens a submission's folder: finds the assignment, reads the rubric and the student's files. Nothing is
// built.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "harness/assignments/assignment.h"
#include "harness/base/error.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::judge {

struct Opened {
  std::string assignment_name;
  // generates inputs and checks results; null if the submissions are whole programs
  std::unique_ptr<Assignment> assignment;
  Rubric rubric;  // the assignment's whole rubric, with kernel files that the submission lacks
  Submission submission;
};

// Makes the object that generates an assignment's inputs and expected outputs in the judge process. cache:
// folder for the libraries built from the assignment's own functions.
Result<std::unique_ptr<Assignment>> make_assignment(const Rubric& rubric, const Installation& installation,
                                                    const std::filesystem::path& cache);

// Opens a submission. `assignment`: empty to recognise the assignment by the files. `rubric`: empty for the
// assignment's own. `root`: root folder of the repository. Fails if folder, assignment or rubric is unusable.
Result<Opened> open_submission(const std::filesystem::path& folder, const std::string& assignment,
                               const std::filesystem::path& rubric, const Installation& installation,
                               const std::filesystem::path& cache);

// Fails if an input size that the user chose (--size) does not have as many numbers (such as rows and
// columns) as the assignment's sizes.
Result<void> check_size(const std::optional<Size>& size, const Opened& opened);

}  // namespace warpmark::judge
