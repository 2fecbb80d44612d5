// Recognises edits that cannot turn a right solution into a wrong one, whatever the rest of the solution
// does. No mutants are made of them, so that no instructor has to list each one as equivalent.
#pragma once

#include "harness/source_edits/source.h"

namespace warpmark::source_edits {

// Returns true if `token` is the minus or the one of a quotient that is rounded up, (n + k - 1) / k. Without
// them it is at most one larger: a block without work, which the bounds test of any right kernel stops.
bool is_of_rounding_up(const Source& source, std::size_t token);

// Returns true if the number at `token` initialises a local variable which the function first uses as the
// output of a call of the CUDA runtime: int device = 7; cudaGetDevice(&device).
bool is_overwritten_by_cuda(const Source& source, const Function& function, std::size_t token);

// Returns true if the comparison < <= > >= at `token` chooses between its own operands, which are equal where
// < and <= differ: a < b ? a : b, or if (a > b) a = b.
bool chooses_operand(const Source& source, std::size_t token);

// Returns true if a statement asks for the current device. Without it a variable that begins with 0 names
// device 0, which is the current device in every grading.
bool asks_for_device(const Source& source, const Statement& statement);

}  // namespace warpmark::source_edits
