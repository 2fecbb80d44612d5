// Starts the keeper, the process that supervises a program: directly, or by bwrap as the first process of a
// sandbox.
#pragma once

#include <filesystem>

#include <sys/types.h>

#include "harness/base/error.h"
#include "harness/sandbox/control_group.h"
#include "harness/sandbox/level.h"
#include "harness/sandbox/process.h"

namespace warpmark::sandbox {

// Returns the path of the keeper's executable, which is in the folder of the running program or (for tests)
// in ../bin.
Result<std::filesystem::path> find_keeper();

// Starts the keeper. Returns the process to wait for: the keeper or, for a sandbox, bwrap, which ends
// together with it. control, status and output are the keeper's ends of its pipes. If `group` is not null,
// the keeper joins that cgroup before it starts the program.
Result<pid_t> start_keeper(const Command& command, const Machine& machine, int control, int status,
                           int output, const ControlGroup* group);

tl::unexpected<Error> system_failure(std::string_view what, int error);

}  // namespace warpmark::sandbox
