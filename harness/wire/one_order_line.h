// A line of the journal of a program that ended by itself, beside those of journal.h.
#pragma once

#include <string_view>

namespace warpmark::wire {

// The run shows all that runs in other orders of blocks and warps, or with later asynchronous work, would.
inline constexpr std::string_view kOneOrderLine = "one order";

}  // namespace warpmark::wire
