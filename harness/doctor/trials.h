// Tries what versions need of this machine beside a compiler: each trial does once what grading does.
#pragma once

#include <filesystem>

#include "harness/doctor/facts.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::doctor {

// Fills in facts.kernel, facts.thrust and facts.ranks, side by side. A trial whose engine cannot be used is
// not made. cache: of what is built.
void try_out(Facts& facts, const judge::Engines& engines, const judge::Installation& installation,
             const std::filesystem::path& cache);

}  // namespace warpmark::doctor
