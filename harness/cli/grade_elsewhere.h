// `warpmark grade --on`: what needs a GPU runs on another machine, the rest here, as one grade.
#pragma once

#include <optional>

#include "harness/cli/grade_arguments.h"
#include "harness/judge/grade_options.h"
#include "harness/judge/workers/installation.h"
#include "harness/model/grade.h"

namespace CLI {  // NOLINT(readability-identifier-naming): of CLI11
class App;
}

namespace warpmark::cli {

// Adds the options --on, --on-program, --ssh-config and --slurm-options.
void add_on_options(CLI::App& command, OnArguments& arguments);

// Grades in two parts. While a Slurm job runs, its files lie below the folder of the reports. Returns nullopt
// if the user interrupted it. If the other machine fails after it has begun, the grade is that of this
// machine, and the checks that need a GPU are broken with the reason. Fails if the submission or the other
// machine cannot be used.
Result<std::optional<Grade>> grade_in_two_parts(const judge::Installation& installation,
                                                const judge::GradeOptions& options,
                                                const GradeArguments& arguments);

}  // namespace warpmark::cli
