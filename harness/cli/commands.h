// The commands. Each adds itself to the command line and, when it was chosen, runs and returns the exit
// status.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "harness/judge/workers/worker_client.h"

namespace warpmark::cli {

inline constexpr int kBroken = 3;    // a fault of Warpmark or of this machine
inline constexpr int kUnusable = 2;  // the command, or the whole submission, cannot be used

using Action = std::function<int()>;

Action add_calibrate_command(CLI::App& app, const judge::Installation& installation);
Action add_class_command(CLI::App& app, const judge::Installation& installation);
Action add_doctor_command(CLI::App& app, const judge::Installation& installation);
Action add_export_command(CLI::App& app, const judge::Installation& installation);
Action add_grade_command(CLI::App& app, const judge::Installation& installation);
Action add_ladder_command(CLI::App& app, const judge::Installation& installation);
Action add_report_command(CLI::App& app, const judge::Installation& installation);
// program_arguments: what the user wrote behind "--".
Action add_simulate_command(CLI::App& app, const judge::Installation& installation,
                            std::vector<std::string> program_arguments);
Action add_stubs_command(CLI::App& app, const judge::Installation& installation);

}  // namespace warpmark::cli
