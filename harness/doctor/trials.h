// Tests whether this machine can build and run student code: each trial performs one step of grading once.
#pragma once

#include <filesystem>

#include "harness/doctor/facts.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::doctor {

// Tries concurrently to run a kernel and a Thrust program on the simulator and to start MPI ranks, and stores
// the results in facts.kernel, facts.thrust and facts.ranks. A trial is skipped if the engine (simulator or
// GPU) that it needs is unusable. cache: folder for the trial builds.
void try_out(Facts& facts, const judge::Engines& engines, const judge::Installation& installation,
             const std::filesystem::path& cache);

}  // namespace warpmark::doctor
