// Checks whether runs of one program with different thread schedules gave the same output and exit status.
#pragma once

#include <string_view>
#include <vector>

#include "harness/program_analysis/analysis.h"

namespace warpmark::program_analysis {

// Returns the number of the first line (from 1) in which two texts differ, or 0. controls: outputs of
// repeated runs with one schedule; lines that differ among them are ignored.
std::size_t first_difference(std::string_view text, std::string_view other,
                             const std::vector<std::string_view>& controls);

// Returns true if a run's output or exit status differs from the first run's, so that control runs are
// needed.
bool answers_differ(const std::vector<ProgramRun>& runs);

// Compares the runs of one program with different thread schedules. Returns at most one finding: an error if
// the exit statuses differ, a note if only the output does. controls: repeats of the first run; empty if all
// runs agree.
std::vector<ShownFinding> compare_answers(const std::vector<ProgramRun>& runs,
                                          const std::vector<ProgramRun>& controls);

}  // namespace warpmark::program_analysis
