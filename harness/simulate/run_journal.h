// What the simulator wrote about one run of a program: lines of a journal (harness/wire/journal.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/wire/journal.h"

namespace warpmark::simulate {

struct RunJournal {
  std::vector<wire::Launch> launches;
  std::vector<wire::Transfer> transfers;
  std::vector<wire::Finding> findings;
  std::vector<std::string> notes;       // sentences: no fault, but good to know; each once
  std::optional<wire::Launch> running;  // the launch that had not come back when the program ended
};

// Whether the device wrote that line of its own (harness/wire/one_order_line.h).
bool has_line(std::string_view text, std::string_view line);

// Lines that are none of ours, or cut off by the program's end, are left out.
RunJournal parse_run_journal(std::string_view text);

}  // namespace warpmark::simulate
