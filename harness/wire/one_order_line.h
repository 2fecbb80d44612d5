// Lines of a journal beside those of journal.h.
#pragma once

#include <string_view>

namespace warpmark::wire {

// Of a program that ended by itself: the run shows all that runs in other orders of blocks and warps, or with
// later asynchronous work, would.
inline constexpr std::string_view kOneOrderLine = "one order";

// Work was queued before another stream was there, and later work of that did not wait for it: what the two
// use was not compared.
inline constexpr std::string_view kUncomparedLine = "uncompared";

// From here on nothing is checked.
inline constexpr std::string_view kRestUncheckedLine = "rest unchecked";

}  // namespace warpmark::wire
