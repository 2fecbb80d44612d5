// Grades submissions that the check of an assignment makes up, as a student's submission is graded.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "harness/assignment_check/setting.h"
#include "harness/model/grade.h"

namespace warpmark::assignment_check {

// A submission's file contents by file name.
using Files = std::map<std::string, std::string>;

// Returns the contents of all files in a folder, such as the reference solution's, by name.
Files files_in(const std::filesystem::path& folder);

struct TrialOptions {
  std::optional<Engine> engine{};          // nullopt: the GPU if there is one, else the simulator
  std::string only = "*";                  // glob over check ids, as `grade --only`
  std::optional<std::uint64_t> seed = {};  // seed of the inputs; nullopt: drawn by the system
};

// Writes the files to a temporary folder called `name` and grades it. Fails if they cannot be graded at all.
Result<Grade> graded(const Setting& setting, const Files& files, const std::string& name,
                     const TrialOptions& trial);

}  // namespace warpmark::assignment_check
