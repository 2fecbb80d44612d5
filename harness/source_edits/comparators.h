// Finds comparators of sorts that are no strict weak order: they return true for equal elements, and the
// library's algorithm then runs past the ends of the array, or orders wrongly.
#pragma once

#include <optional>
#include <string>

#include "harness/source_edits/source.h"

namespace warpmark::source_edits {

struct BadComparator {
  std::size_t token = 0;  // of the comparison
  std::string what;       // "the comparator calls equal elements smaller: `a <= b`"
};
std::optional<BadComparator> find_bad_comparator(const Source& source);

}  // namespace warpmark::source_edits
