// What the source shows of a race that a simulator found between two lines of a kernel, and the simulator
// cannot know: which round of a loop an access belongs to, and which array a line means to read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::source_edits {

// Returns what to do where a barrier stands between two racing lines of a loop, but none between the later
// one and the earlier one of the next round; empty if that is not so.
std::string about_next_round(std::string_view text, int line, int other_line);

// Returns what to do where a line reads an element of an array that it does not name, but of another array
// that the kernel is given: the index has passed its end. `element`: "to[0]". Empty if that is not so.
std::string about_passed_end(std::string_view text, int line, std::string_view element);

// Returns what to do where a line stores to an element of an array that it does not name, by the name of
// another array that the kernel is given: both may be the same memory. Empty if that is not so.
std::string about_same_memory(std::string_view text, int line, std::string_view element);

}  // namespace warpmark::source_edits
