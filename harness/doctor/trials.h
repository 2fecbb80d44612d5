// Tests whether this machine can build and run student code: each trial performs one step of grading once.
#pragma once

#include <filesystem>

#include "harness/doctor/facts.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::doctor {

// Sets facts.kernel, facts.thrust and facts.ranks, running the trials concurrently. A trial is skipped if its
// engine is unusable. cache: folder for test builds.
void try_out(Facts& facts, const judge::Engines& engines, const judge::Installation& installation,
             const std::filesystem::path& cache);

}  // namespace warpmark::doctor
