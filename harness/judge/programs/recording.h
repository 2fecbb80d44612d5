// Records the reference solution's outputs, so that programs can be graded on machines that do not have the
// reference.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/base/error.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::judge {

// Runs the reference solution on the simulator, on all test cases that name no file of expected output.
// Returns the outputs by path in the assignment's folder (see recorded_place()). with_secret: also on secret
// test cases. Fails if the simulator cannot be used or the assignment is at fault.
Result<std::map<std::filesystem::path, std::string>> recorded_outputs(const Installation& installation,
                                                                      const Rubric& rubric,
                                                                      const std::filesystem::path& cache,
                                                                      bool with_secret);

}  // namespace warpmark::judge
