// Merges the records of several runs of one program into the findings shown to the user, one per pair of
// source lines.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/build/symbolize.h"
#include "harness/program_analysis/analysis.h"

namespace warpmark::program_analysis {

// Returns a finding for how the run ended: crashed, timed_out, memory_limit, output_limit, process_limit.
// Empty if the program exited.
std::vector<wire::Finding> findings_of_ending(const ProgramRun& run, const RunLimits& limits,
                                              double limit_seconds);

// Returns true if an error ended the run, or one of its kernel launches, before the program's output was
// complete.
bool ended_early(const ProgramRun& run);

// Merges the findings of all runs of one program. `places` maps code addresses in the call
// stacks of findings to source locations.
std::vector<ShownFinding> merge_findings(const std::vector<ProgramRun>& runs,
                                         const build::PlacesOfAddresses& places,
                                         const SourceFolders& folders);

// Returns the code addresses, without duplicates, in the call stacks that the runs of a program recorded;
// they are then symbolized together.
std::vector<std::uint64_t> addresses_in(const std::vector<ProgramRun>& runs);

}  // namespace warpmark::program_analysis
