// The sum on this machine's CPU, in the ways that a course compares a GPU with. Each returns the same sums as
// the versions: int and long long wrap round, float is added up in double.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark {

// cpu_one_thread, cpu_threads and, where the compiler knows OpenMP, cpu_openmp.
std::span<const HostVersion> cpu_sums();

}  // namespace warpmark
