// What a task of a Slurm array does, on a node: grades its share of the class and leaves the results as
// files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "harness/base/error.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// number: from 1. Whether all of its students have a result then; a student whom an earlier start of the task
// has graded keeps that. Fails when there is no plan, or a result cannot be written.
Result<bool> run_task(const judge::Installation& installation, const std::filesystem::path& out,
                      std::uint64_t number, const std::stop_token& stop);

}  // namespace warpmark::classroom
