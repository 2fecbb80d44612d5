// Detects a GPU that disappears while a class is graded, so that nobody loses points because of it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "harness/class/journal/journal.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// Returns why the machine has fewer usable GPUs than when grading began; empty if it has as many. Takes about
// 0.3 s.
using GpuWatch = std::function<std::string()>;
GpuWatch watch_gpus(const judge::Installation& installation, std::size_t count);

// Marks a grading result as `broken`, without a grade, if a GPU disappeared meanwhile, because the student
// did not cause the failure. Calls `watch` only for suspicious results: no GPU was used, or CUDA, a worker
// process or Warpmark itself failed. Returns the text from `watch`; if it is not empty, the run should stop.
std::string hold_against_gpus(const GpuWatch& watch, Outcome& outcome);

}  // namespace warpmark::classroom
