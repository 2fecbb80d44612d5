// Tries what versions need from this machine besides a compiler; each trial does once what grading does.
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
