// Draws threads as inline SVG: what they access, where they wait, and which of two accesses a barrier would
// order; and the calls of MPI ranks. Each drawing comes with lines of text that say the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// A drawing and what it shows. `words` is plain text, not escaped.
struct ThreadPicture {
  std::string svg;
  std::string caption;
  std::vector<std::string> words;
};

// Kinds of marks in the drawing of a warp's access, for the legend.
struct AccessMarks {
  bool outside = false;  // an element outside of the array
  bool own = false;      // the element with the thread's own number in the grid, where it accesses another
  bool clash = false;    // a bank of shared memory in which threads of one pass need different words
  bool sectors = false;  // lines between sectors of 32 bytes
};

struct AccessPicture : ThreadPicture {
  AccessMarks marks;
};

// Draws the elements that the threads of a warp access, or the banks of shared memory: a row per thread.
// Returns nullopt if each thread accesses the element after the one before it, within the array, for no more
// than it need cost: then a drawing shows nothing.
std::optional<AccessPicture> access_picture(const WarpAccess& access);

// Draws which threads of a block wait, are past the others, or have returned: a row per state and line.
// Returns nullopt if all are in one state at one line.
struct BlockPicture : ThreadPicture {
  std::vector<std::string> rows;  // a short label per row of the drawing
};
std::optional<BlockPicture> block_picture(const std::vector<ThreadRun>& threads);

// Draws the two accesses of a race on the time lines of their threads, one above the other, behind the
// barriers that both have passed, with a dashed line where a barrier would order them.
ThreadPicture race_picture(const RacingAccess& one, const RacingAccess& other);

// Draws the calls of MPI of each rank, a column per rank. Returns nullopt if no rank made a call beside the
// one in which it waits: the message names those.
std::optional<ThreadPicture> ranks_picture(const std::vector<RankCalls>& ranks);

}  // namespace warpmark
