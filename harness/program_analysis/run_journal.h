// Parses the journal, in which the simulator's device process recorded one run of a program
// (harness/wire/journal.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/wire/journal.h"

namespace warpmark::program_analysis {

struct RunJournal {
  std::vector<wire::Launch> launches;
  std::vector<wire::Transfer> transfers;
  std::vector<wire::Finding> findings;
  // Messages for the user about one simulated run that report no error, without duplicates.
  std::vector<std::string> notes;
  std::optional<wire::Launch> running;  // the launch that had not finished when the program ended
};

// Returns true if the journal of a simulated run contains the line `line` as a whole, such as the marker that
// all schedules are equivalent (harness/wire/one_order_line.h).
bool has_line(std::string_view text, std::string_view line);

// Parses the journal of one simulated run, ignoring lines in another format and a last line truncated by the
// program's end.
RunJournal parse_run_journal(std::string_view text);

}  // namespace warpmark::program_analysis
