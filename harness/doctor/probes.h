// Collects facts about this machine: runs nvidia-smi, starts worker processes, reads /proc and /sys.
// Interprets nothing.
#pragma once

#include <filesystem>
#include <string>

#include "harness/doctor/facts.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::doctor {

// Collects all facts about this machine that decide what can be graded on it; takes a few seconds.
// Measures the rates of a GPU that is not calibrated, and keeps them in the cache for gradings.
// assignment: selects which file of required speedups to look for. cache: folder for the trial builds.
Facts look_around(judge::Installation installation, const std::string& assignment,
                  const std::filesystem::path& cache);

}  // namespace warpmark::doctor
