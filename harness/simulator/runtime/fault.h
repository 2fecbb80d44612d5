// For the program's process: a host access to device memory, or another SIGSEGV, is written as lines of a
// journal on its way to end the process.
#pragma once

#include <cstddef>

#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

// Host accesses to the addresses of the device are explained from now on.
void explain_faults(Address begin, std::size_t bytes);
// To a descriptor; -1: to stderr.
void report_faults_to(int fd);
// Any other SIGSEGV is reported there, too, and all with the place in the program.
void report_crashes();

}  // namespace warpmark::simulator
