// Detects a GPU that disappears while a class is graded, so that nobody loses points because of it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "harness/class/journal/journal.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// Returns why the machine's GPUs differ from those at the start; empty if they are the same. Takes about 0.3
// s.
using GpuWatch = std::function<std::string()>;
GpuWatch watch_gpus(const judge::Installation& installation, std::size_t count);

// Marks an outcome as `broken` if a GPU disappeared while it was graded: the failure is nobody's fault, and
// there is no grade. Runs the watch only for suspicious outcomes: no GPU was used, or CUDA, a worker or the
// harness failed. Returns the watch's answer; if it is not empty, the run should stop.
std::string hold_against_gpus(const GpuWatch& watch, Outcome& outcome);

}  // namespace warpmark::classroom
