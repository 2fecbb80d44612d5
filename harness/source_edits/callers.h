// Finds where a source file uses a function of a header.
#pragma once

#include <string_view>

namespace warpmark::source_edits {

// Returns the first line of `text` that calls or launches the function which contains a line of a header, or
// another function of the header that leads to it. Returns 0 if there is none.
int line_that_reaches(std::string_view text, std::string_view header, int line);

}  // namespace warpmark::source_edits
