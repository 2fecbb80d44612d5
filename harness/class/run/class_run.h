// The coordinator: intake, queue, journal, reports. It runs no compiler and loads no student code: each
// submission is graded by a process of its own (grader.h), whose grade is committed before anybody sees it.
#pragma once

#include <stop_token>

#include "harness/base/error.h"
#include "harness/class/run/options.h"
#include "harness/class/run/progress.h"
#include "harness/class/run/regrade.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

enum class Mode {
  grade,    // take the inputs in and grade what has changed
  resume,   // go on with a run that was interrupted
  regrade,  // grade all into the shadow, and show what would change
};

struct ClassRun {
  ClassResult result;
  ProgressFigures figures;      // of this run alone
  bool interrupted = false;     // what is left waits for --resume
  std::vector<Change> changes;  // of a regrade
};

// Fails when the command or the inputs cannot be used; throws std::exception when the disk or the journal
// cannot be written.
Result<ClassRun> run_class(const judge::Installation& installation, ClassOptions options, Mode mode,
                           const std::stop_token& stop);

// Makes the grades of a regrade those that count, or throws them away. Fails when there are none.
Result<ClassRun> finish_regrade(const judge::Installation& installation, const std::filesystem::path& out,
                                bool apply);

// Sets or, without a value, withdraws a correction by hand. Fails when no student has the id.
Result<ClassRun> correct_by_hand(const judge::Installation& installation, const std::filesystem::path& out,
                                 const std::string& id, const std::optional<Correction>& correction);

}  // namespace warpmark::classroom
