// Causes (reasons for a failed check) that the judge process itself finds while it runs a submitted kernel
// file on its test inputs.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Returns a failure reason that blames the given kernel file and names the test case's element type, size and
// seed for reproduction.
Cause about(const Case& which, const Blame& blame, CauseKind kind, std::string message);

// Each kernel file gets a share of the submission's time. is_over(): returns true if a file's share has
// expired. out_of_time(): returns the failure reason for that, after `asked` of `of` test cases.
Cause out_of_time(const GradingContext& bench, const std::string& version, std::size_t asked, std::size_t of);
bool is_over(const GradingContext& bench, const std::string& version);

// Returns the time limit of a worker process's start. No code of a student runs in it, and several processes
// that start on one GPU wait for each other, so that a short limit of calls does not hold there.
std::chrono::milliseconds start_limit(const GradingContext& bench);

// Returns true if the defect is of the kind that the assignment reports for wrong results.
bool is_wrong_answer(const GradingContext& bench, const Cause& cause);

// Sets the file and line of a reported defect to the source line that requested the transfer, if known.
void point_to(Cause& cause, const AuditedTransfer& transfer, const Blame& blame);

// Returns true if the simulator could not run a version to its end, so that a GPU on which the version is
// right decides alone: an undecided check, or a limit of the simulated device, such as its multiprocessors.
bool leaves_to_gpu(const Cause& on_simulator);

// Returns true for errors that end a call and may come from a small mistake in the source.
bool may_be_cured_by_change(CauseKind kind);

// Returns the remark of a call that explains its wrong answer: a race, or a read of what was never set.
std::optional<Cause> root_among(const std::vector<Cause>& remarks);

// Returns a wrong answer as a consequence of what the engine found in the same call.
Cause follows_from(const Cause& root, Cause wrong);

}  // namespace warpmark::judge
