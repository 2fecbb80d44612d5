// Rules by which the outcome of one check decides whether another check runs or earns points.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/rules/check.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Returns the reasons for not running a check that depends on the earlier check `check`, of which `earlier`
// lists the failures. If the earlier check failed: one reason of kind `depends`. If it could not be decided:
// its own decisive reason. If it passed: empty.
std::vector<Cause> after(const std::vector<Cause>& earlier, Check check);

// Calls the function `work` and converts an exception (out of memory, no descriptors left) to an `internal`
// failure of the check, so that no other check is lost.
CheckOutcome guarded(const std::function<CheckOutcome()>& work);

// Returns true if a student's kernel file that failed the check `correct` for this reason may still be called
// by the audit of host-to-device copies: its code runs and terminates (no timeout, endless loop or deadlock).
bool can_be_audited(const Cause& cause);

// Returns the reasons why a version fails that was right on a GPU, from what `correct` found on the
// simulator. A call that did not end in its time leaves the check open, because the machine may have been
// busy.
std::vector<Cause> failures_beside_gpu(std::vector<Cause> on_simulator);

// Returns those causes that fail a check; others leave it open.
std::vector<Cause> failures_in(std::vector<Cause> causes);

// Returns why a version fails on the simulator, as a reason for its failure on a GPU: the failures of
// `correct`, else those of `clean`. Empty if there are none. A call that did not end in its time is no
// reason if all calls ended on the GPU. `clean` is null if it was not selected: remarks of `correct`
// for which `fails` is true then take its place.
std::vector<Cause> reasons_on_simulator(const std::vector<Cause>& on_gpu, const CheckOutcome& correct,
                                        const CheckOutcome* clean,
                                        const std::function<bool(CauseKind)>& fails);

// Returns the causes of a failure on a GPU: the simulator's first, because it names kinds and lines that a
// GPU does not report, then what the GPU reports beyond them.
std::vector<Cause> explained_first(std::vector<Cause> on_simulator, std::vector<Cause> on_gpu);

// Returns the causes of `correct` where a GPU decides it and the simulator ran with the same inputs: of a
// failure on the GPU those of explained_first(), else those of failures_beside_gpu(). The other parameters
// are those of reasons_on_simulator().
std::vector<Cause> judged_on_both(std::vector<Cause> on_gpu, const CheckOutcome& correct,
                                  const CheckOutcome* clean, const std::function<bool(CauseKind)>& fails);

// Returns a note that two kernel files contain the same code, and what the later one keeps of its points.
Cause same_code_note(const std::string& file, const std::string& other, double keeps_percent);

// Changes compile errors to `unsupported`, with `why` before their messages: another compiler accepted the
// code, so it is not the student's fault that this one rejects it.
std::vector<Cause> unsupported_by(std::vector<Cause> causes, std::string_view why);

}  // namespace warpmark::judge
