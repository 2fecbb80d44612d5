// Grades a class on a cluster: the coordinator submits a job array and a second job that imports the results.
// Later coordinators make sure that nothing is graded twice or lost.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "harness/class/run/home.h"
#include "harness/class/run/options.h"
#include "harness/class/run/progress.h"
#include "harness/class/slurm/exchange.h"

namespace warpmark::classroom {

// Returns the name of all jobs that belong to an output folder.
std::string job_name(const std::filesystem::path& out);

// Returns true if some results have not been imported yet, or if jobs may still produce some.
bool is_spread(const Home& home);

// Submits both jobs. If Slurm rejects one, fails and leaves nothing queued. Throws std::exception if the disk
// or the journal cannot be written.
Result<SlurmJobs> submit_class(const ClassOptions& options, Home& home, SlurmPlan plan);

// Imports the results of an earlier run's tasks, if there was one. Fails while they are still running.
Result<void> settle_slurm(Home& home);

// The work of the import job: imports all results. A student without one becomes `broken`, with the reason.
// Fails if there is no open Slurm run.
Result<void> import_results(Home& home);

// Shows the tasks' progress until the jobs have ended. Returns false if stopped before; the jobs continue.
Result<bool> follow(const std::filesystem::path& out, const std::stop_token& stop, ProgressFigures& figures);

}  // namespace warpmark::classroom
