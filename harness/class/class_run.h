// The coordinator: intake, queue, journal, reports. It runs no compiler and loads no student code: each
// submission is graded by a separate process (grader.h), and its grade is committed before anybody sees it.
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
  grade,    // run the intake and grade the submissions that changed
  resume,   // continue an interrupted run
  regrade,  // grade all submissions into the shadow and show what would change
  import,   // import the results of Slurm tasks
};

struct ClassRun {
  ClassResult result;
  ProgressFigures figures;        // of this run only
  std::string trouble;            // why it stopped without being asked to
  bool interrupted = false;       // the remaining submissions wait for --resume
  std::vector<Change> changes;    // result of a regrade
  std::optional<SlurmJobs> jobs;  // set if the class was submitted to Slurm
};

// Fails if the command or the inputs are unusable; throws std::exception if the disk or the journal cannot be
// written.
Result<ClassRun> run_class(const judge::Installation& installation, const ClassOptions& options, Mode mode,
                           const std::stop_token& stop);

// Applies or discards the grades of a regrade. Fails if there are none.
Result<ClassRun> finish_regrade(const judge::Installation& installation, const std::filesystem::path& out,
                                bool apply);

// Sets a manual correction, or withdraws it if `correction` is nullopt. Fails if no student has the ID.
Result<ClassRun> correct_by_hand(const judge::Installation& installation, const std::filesystem::path& out,
                                 const std::string& id, const std::optional<Correction>& correction);

}  // namespace warpmark::classroom
