// Turns a failed compiler run, or a library that lacks a required function, into the error message shown to
// the student.
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

// Returns the error message for a program whose objects compile but do not link.
Cause unlinked_cause(const FailedPass& refused, const std::vector<Request>& requests);

// Returns an error message that names the requested functions missing from `exported`, the library's exported
// symbols; nullopt if none is missing.
std::optional<Cause> missing_function_cause(const Request& request, const std::vector<std::string>& exported);

}  // namespace warpmark::build
