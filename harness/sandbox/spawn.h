// How the keeper is started, alone or as the first process of a box.
#pragma once

#include <filesystem>

#include <sys/types.h>

#include "harness/base/error.h"
#include "harness/sandbox/control_group.h"
#include "harness/sandbox/level.h"
#include "harness/sandbox/process.h"

namespace warpmark::sandbox {

// The keeper's program: beside the program that runs, or in bin/ next to its folder (tests).
Result<std::filesystem::path> find_keeper();

// The process to wait for: the keeper or, of a box, bwrap, which ends with it. The three descriptors are the
// keeper's ends of the pipes.
// It enters the group, where there is one, before it starts the program.
Result<pid_t> start_keeper(const Command& command, const Machine& machine, int control, int status,
                           int output, const ControlGroup* group);

tl::unexpected<Error> system_failure(std::string_view what, int error);

}  // namespace warpmark::sandbox
