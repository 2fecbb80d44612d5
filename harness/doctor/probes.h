// Collects the facts: runs nvidia-smi, starts workers, reads /proc and /sys. Interprets nothing.
#pragma once

#include <filesystem>
#include <string>

#include "harness/doctor/facts.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::doctor {

// Takes a few seconds. assignment: whose thresholds file is looked up. cache: folder for test builds.
Facts look_around(judge::Installation installation, const std::string& assignment,
                  const std::filesystem::path& cache);

}  // namespace warpmark::doctor
