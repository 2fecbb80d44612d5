// Grades a class on a Slurm cluster: submits a job array and a second job that imports the results. Later
// runs make sure that nothing is graded twice or lost.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "harness/class/run/home.h"
#include "harness/class/run/options.h"
#include "harness/class/run/progress.h"
#include "harness/class/slurm/exchange.h"

namespace warpmark::classroom {

// Returns the Slurm job name that all jobs of an output folder share.
std::string job_name(const std::filesystem::path& out);

// Returns true if some results of Slurm jobs have not been imported yet, or if jobs may still produce some.
bool is_spread(const Home& home);

// Submits the job array and the import job. If Slurm rejects one, fails and leaves nothing queued. Throws
// std::exception if the disk or the journal cannot be written.
Result<SlurmJobs> submit_class(const ClassOptions& options, Home& home, SlurmPlan plan);

// Imports the results of an earlier Slurm run, if there was one. Fails while its tasks are still running.
Result<void> settle_slurm(Home& home);

// Imports all results; runs in the import job. A student without a result becomes `broken`, with the reason.
// Fails if there is no open Slurm run.
Result<void> import_results(Home& home);

// Shows the progress of the Slurm tasks until the jobs have ended. Returns false if stopped earlier; the jobs
// then continue.
Result<bool> follow(const std::filesystem::path& out, const std::stop_token& stop, ProgressFigures& figures);

}  // namespace warpmark::classroom
