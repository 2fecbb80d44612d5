// Whether runs of one program in different orders came to the same answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/simulate/simulation.h"

namespace warpmark::simulate {

// The first line (from 1) on which two texts differ, but for the lines on which `controls` differ among
// themselves; 0: none.
std::size_t first_difference(std::string_view text, std::string_view other,
                             const std::vector<std::string_view>& controls);

// Whether the controls are worth their time: some run printed or ended otherwise than the first.
bool answers_differ(const std::vector<ProgramRun>& runs);

// How they differ, as one finding at most: an error where the exit status does, a note where only printed
// text does. controls: runs like the first one, empty when the answers do not differ.
std::vector<ShownFinding> compare_answers(const std::vector<ProgramRun>& runs,
                                          const std::vector<ProgramRun>& controls);

}  // namespace warpmark::simulate
