// Parts of a build for the GPU.
#pragma once

#include <optional>

#include "harness/build/compile_parts.h"

namespace warpmark::build {

// Returns nvcc's arguments that compile one source's device code alone, without output and source.
Arguments device_half_flags(const Settings& settings, const Request& request, const Workspace& workspace);

// True if a library may be built in two halves (compile_halves.cpp): it has no compiler flags of its own.
bool may_be_halved(const Request& request);
// Builds a library in two halves. Returns nullopt if they do not fit together or a compiler rejects its half:
// nvcc has to compile the source as a whole then. quick: with a host half. Fails only for faults of this
// program or machine.
Result<std::optional<Compiled>> compile_in_halves(const Toolchain& toolchain, const Settings& settings,
                                                  const Request& request, const Workspace& workspace,
                                                  const Quick& quick);

}  // namespace warpmark::build
