// Points wrong answers to lines that the source or the launches show to be at fault.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/judge/checks/prober.h"
#include "harness/judge/workers/causes.h"
#include "harness/wire/reply.h"

namespace warpmark::judge {

// Points a cause to an access; of one in a helper of a header, to the line of the version that calls it.
void point_to(Cause& cause, Access reading, const Blame& blame);

// Points a cause to the cudaMemset that left the byte by which an output is wrong. Returns what a message
// adds where an output begins with a wrong value: the only line that sets memory.
std::string setting_line(const Explanation& found, Cause& cause, const Blame& blame);

// Names the place at which the source lacks the statement that writes an output that stayed unwritten.
void name_omission(Cause& cause, const Assignment& assignment, const Case& which, const Blame& blame);

// Adds why no thread reaches an unwritten element, if the launches of the call show it, and to `details` what
// helps. Points the cause to the line that numbers the rows of a grid that cannot be larger. Returns false if
// they do not show it.
bool name_unreached(Cause& cause, std::uint64_t n, const std::vector<wire::Launch>& launches,
                    const Blame& blame, std::string& details);

// Adds to `details` what the source shows of the kind of wrong output that was recognised, and points the
// cause to the line. Returns true if that explains the output fully: then it takes the place of the details.
bool name_sign(Cause& cause, const Explanation& found, const Blame& blame, std::string& details);

// Points a cause without a line to that of a call which the explanation names in backquotes, if the source
// has one such line; of MPI_Scatterv and its like, to the line that fills the array of displacements.
void point_to_named_call(Cause& cause, const std::string& what, const Blame& blame);

}  // namespace warpmark::judge
