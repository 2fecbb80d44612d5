// Looks at the machine: runs nvidia-smi, starts workers, reads /proc and /sys. No judgement in here.
#pragma once

#include <filesystem>
#include <string>

#include "harness/doctor/facts.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::doctor {

// Takes some seconds. assignment: whose thresholds are looked for. cache: of what is built to try it.
Facts look_around(judge::Installation installation, const std::string& assignment,
                  const std::filesystem::path& cache);

}  // namespace warpmark::doctor
