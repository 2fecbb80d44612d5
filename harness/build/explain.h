// From a compiler's refusal, or a library that lacks a function, to the cause that a student reads.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/build/compile.h"
#include "harness/build/excerpt.h"
#include "harness/build/workspace.h"
#include "harness/model/grade.h"

namespace warpmark::build {

Cause refused_cause(const FailedPass& refused, const Request& request, const Workspace& workspace,
                    Engine engine, std::chrono::milliseconds limit);

// Why the linker made no program of these files.
Cause unlinked_cause(const FailedPass& refused, const std::vector<Request>& requests);

// Which of the wanted functions are not among the exported ones; empty when none is missing.
std::optional<Cause> missing_function_cause(const Request& request, const std::vector<std::string>& exported);

}  // namespace warpmark::build
