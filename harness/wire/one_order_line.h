// Lines of a journal that are plain text, in addition to the messages of journal.h.
#pragma once

#include <string_view>

namespace warpmark::wire {

// Written when a program exits normally and its run is representative: other orders of blocks and warps, or
// later asynchronous work, could show nothing else.
inline constexpr std::string_view kOneOrderLine = "one order";

// Work was queued while only one stream existed, so its accesses were not recorded, and later work on another
// stream did not wait for it: the two were not checked for races.
inline constexpr std::string_view kUncomparedLine = "uncompared";

// Nothing is checked after this line.
inline constexpr std::string_view kRestUncheckedLine = "rest unchecked";

}  // namespace warpmark::wire
