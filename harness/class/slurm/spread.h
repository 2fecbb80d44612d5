// A class on a cluster: the coordinator submits an array of tasks and a job that imports what they leave, and
// every coordinator after it sees to it that nothing is graded twice or lost.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/class/run/home.h"
#include "harness/class/run/options.h"
#include "harness/class/run/progress.h"
#include "harness/class/slurm/exchange.h"

namespace warpmark::classroom {

// The name of all jobs of an output folder.
std::string job_name(const std::filesystem::path& out);

// Whether there are results that nobody has taken over yet, or jobs that may still leave some.
bool is_spread(const Home& home);

// Submits both jobs. Fails, with nothing queued, when Slurm refuses one of them. Throws std::exception when
// the disk or the journal cannot be written.
Result<SlurmJobs> submit_class(const ClassOptions& options, Home& home, SlurmPlan plan);

// Takes over what the tasks of an earlier run have left, if there was one. Fails while they still run.
Result<void> settle_slurm(Home& home);

// What the import's job does: takes all results over; a student without one is `broken`, with the reason.
// Fails when no run of Slurm's is open.
Result<void> import_results(Home& home);

// Shows how far the tasks are until the jobs have ended. False when it was stopped before; the jobs go on.
Result<bool> follow(const std::filesystem::path& out, const std::stop_token& stop, ProgressFigures& figures);

}  // namespace warpmark::classroom
