// Handles SIGSEGV in the program's process: a host access to device memory, or any other crash, is written as
// a journal line before the process dies.
#pragma once

#include <cstddef>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

// Installs the signal handlers. From now on, host accesses to the device's address range [begin, begin +
// bytes) are reported.
void explain_faults(Address begin, std::size_t bytes);
// Sets the file descriptor to which fault reports are written (-1: stderr).
void report_faults_to(int fd);
// Enables reports of SIGSEGVs outside the device's address range, and call stacks in all fault reports.
void report_crashes();

}  // namespace warpmark::simulator
