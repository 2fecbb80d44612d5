// What CUDA has and the simulator does not, by names that are ours: a submission cannot add one.
#pragma once

#include <optional>
#include <string>

#include "harness/build/diagnostics.h"

namespace warpmark::build {

// Which of them an error of the simulator's compiler or linker is about; nothing when it is about something
// else.
std::optional<std::string> not_simulated(const Diagnostic& diagnostic);

}  // namespace warpmark::build
