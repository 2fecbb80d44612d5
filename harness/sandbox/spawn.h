// Starts the keeper, either directly or as the first process of a box.
#pragma once

#include <filesystem>

#include <sys/types.h>

#include "harness/base/error.h"
#include "harness/sandbox/control_group.h"
#include "harness/sandbox/level.h"
#include "harness/sandbox/process.h"

namespace warpmark::sandbox {

// Returns the path of the keeper: beside the running program, or in bin/ next to its folder (for tests).
Result<std::filesystem::path> find_keeper();

// Returns the process to wait for: the keeper, or for a box bwrap, which ends together with it. control,
// status and output are the keeper's ends of the pipes. If `group` is not null, the keeper enters it before
// it starts the program.
Result<pid_t> start_keeper(const Command& command, const Machine& machine, int control, int status,
                           int output, const ControlGroup* group);

tl::unexpected<Error> system_failure(std::string_view what, int error);

}  // namespace warpmark::sandbox
