// Where a program fills the displacements that it passes to MPI_Scatterv and its like.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::source_edits {

struct FilledArray {
  int line = 0;  // 0: there is none
  std::string array;
};

// Returns the last line in front of the first call of MPI_Scatterv, MPI_Gatherv or MPI_Allgatherv, as named
// by `function`, that sets elements of the array of displacements which the call passes. None if another such
// call passes the same array: its elements are right for one of them, so that the call is at fault.
FilledArray filled_displacements(std::string_view text, std::string_view function);

}  // namespace warpmark::source_edits
