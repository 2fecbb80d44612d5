// Records what the reference puts out, so that programs can be graded where the reference is not.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/base/error.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::judge {

// Runs the reference on the cases that name no expected file, on the simulator, and returns its outputs by
// their places in the assignment's folder (recorded_place()). with_secret: also on secret cases. Fails if the
// simulator cannot be used or the assignment is at fault.
Result<std::map<std::filesystem::path, std::string>> recorded_outputs(const Installation& installation,
                                                                      const Rubric& rubric,
                                                                      const std::filesystem::path& cache,
                                                                      bool with_secret);

}  // namespace warpmark::judge
