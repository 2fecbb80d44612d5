// The device process of a program that was started by itself, such as ./app in a shell.
#pragma once

#include <string>

namespace warpmark::simulator {

// Returns the path of a program of this installation, which lies in bin/ beside the lib/ of this library;
// empty if it cannot be found.
std::string program_beside(const char* name);

// Starts a device process that runs kernels unchecked, as -O2 code, and ends with this process. It is no
// child of this process, so that wait() does not see it. Returns this process's end of its socket; -1 and
// errno on failure. The environment variable WARPMARK_DEVICES is the number of GPUs that the program sees
// (default 1).
int start_own_device();

// Becomes `warpmark run PROGRAM ARGUMENTS` of this installation. arguments: those of this process, ended by
// null. Returns only if the program cannot be started, after a message on stderr.
void run_checked(char** arguments);

}  // namespace warpmark::simulator
