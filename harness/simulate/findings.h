// From the runs' records to what is told: one finding a pair of lines, host code with its line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/build/symbolize.h"
#include "harness/simulate/simulation.h"

namespace warpmark::simulate {

// Where the shown names of source files lead: relative to the first of these folders that has the file.
using SourceFolders = std::vector<std::filesystem::path>;

// How a run ended, as a finding: crashed, timed_out, memory_limit, output_limit, process_limit. None when the
// program exited.
std::vector<wire::Finding> findings_of_ending(const ProgramRun& run, const RunLimits& limits,
                                              double limit_seconds);

// Whether something that it did wrong ended the run, or one of its launches, before the answer was there.
bool ended_early(const ProgramRun& run);

// All that the runs found, merged. `lines` turns addresses of wire::Finding::frames into places.
std::vector<ShownFinding> merge_findings(const std::vector<ProgramRun>& runs,
                                         const build::PlacesOfAddresses& places,
                                         const SourceFolders& folders);

// Every address in the records, once.
std::vector<std::uint64_t> addresses_in(const std::vector<ProgramRun>& runs);

}  // namespace warpmark::simulate
