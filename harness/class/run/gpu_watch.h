// A GPU that leaves the machine while a class is graded must cost nobody points.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "harness/class/journal/journal.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// Why the machine's GPUs are not those that the class began with; empty: they are. Takes some 0.3 s.
using GpuWatch = std::function<std::string()>;
GpuWatch watch_gpus(const judge::Installation& installation, std::size_t count);

// Makes an outcome `broken` that was graded while a GPU went away: it is nobody's fault, and no grade. Asks
// the watch only where the outcome looks like that: it used no GPU, or CUDA, a worker or we failed. Returns
// what the watch says; the run should stop then.
std::string hold_against_gpus(const GpuWatch& watch, Outcome& outcome);

}  // namespace warpmark::classroom
