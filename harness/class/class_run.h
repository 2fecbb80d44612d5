// Coordinates the grading of a class: collects and queues submissions, records grades in a journal and writes
// reports. Runs no compiler and loads no student code: a separate process grades each submission (grader.h),
// and each grade is committed to the journal before anybody sees it.
#pragma once

#include <optional>
#include <stop_token>

#include "harness/base/error.h"
#include "harness/class/run/options.h"
#include "harness/class/run/progress.h"
#include "harness/class/run/regrade.h"
#include "harness/class/slurm/spread.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

enum class Mode {
  grade,    // collect the submissions and grade those that changed
  resume,   // continue an interrupted run
  regrade,  // grade all again into a separate set of grades and show the differences
  import,   // import the results of Slurm tasks
};

struct ClassRun {
  ClassResult result;
  std::string limits;             // limits_text() of this run; empty: graded elsewhere
  ProgressFigures figures;        // counts and times of this run, without the students graded in earlier runs
  std::string trouble;            // reason for stopping early without a user's request; empty: none
  bool interrupted = false;       // true: ungraded submissions remain, for --resume
  std::vector<Change> changes;    // grades that differ after a regrade
  std::optional<SlurmJobs> jobs;  // IDs of the Slurm jobs; nullopt: not on Slurm
};

// Grades the submissions of a class. Fails if the command or the inputs are unusable; throws std::exception
// if the disk or the journal cannot be written.
Result<ClassRun> run_class(const judge::Installation& installation, const ClassOptions& options, Mode mode,
                           const std::stop_token& stop);

// Replaces the current grades by those of a regrade, or discards the regrade. Fails if there is no regrade.
Result<ClassRun> finish_regrade(const judge::Installation& installation, const std::filesystem::path& out,
                                bool apply);

// Sets a manual correction of a student's points, or withdraws it if `correction` is nullopt. Fails if no
// student has the ID.
Result<ClassRun> correct_by_hand(const judge::Installation& installation, const std::filesystem::path& out,
                                 const std::string& id, const std::optional<Correction>& correction);

}  // namespace warpmark::classroom
