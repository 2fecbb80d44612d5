// Runs one Slurm array task on a node: grades its share of the class and writes the results to files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "harness/base/error.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// Grades the students of Slurm array task `number`, counted from 1. Returns true if all of them have a
// result. Keeps results that an earlier attempt of the task wrote. Fails if the class has no Slurm plan, or
// if a result cannot be written.
Result<bool> run_task(const judge::Installation& installation, const std::filesystem::path& out,
                      std::uint64_t number, const std::stop_token& stop);

}  // namespace warpmark::classroom
