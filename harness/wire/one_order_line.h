// Lines of a simulator journal that are plain text, in addition to the messages of journal.h.
#pragma once

#include <string_view>

namespace warpmark::wire {

// Journal line written when a program exits normally and its run is representative: no other order of blocks
// and warps, and no later asynchronous work, could show anything else.
inline constexpr std::string_view kOneOrderLine = "one order";

// Journal line written when later work on another stream did not wait for work queued while only one stream
// existed: the accesses of the earlier work were not recorded, so the two were not checked for races.
inline constexpr std::string_view kUncomparedLine = "uncompared";

// Journal line written when the simulator has used up its budget of checked warp instructions: the rest of
// the program's run is not checked for races.
inline constexpr std::string_view kRestUncheckedLine = "rest unchecked";

}  // namespace warpmark::wire
