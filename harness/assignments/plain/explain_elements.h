// Why elements are wrong, from calls at smaller sizes: of answers whose element i is computed from element i
// of the input, which is in the same buffer.
#pragma once

#include <optional>

#include "harness/assignments/assignment.h"

namespace warpmark::plain {

// Looks for the smallest size that is answered wrongly and names the elements. value_bytes: of an element.
std::optional<Explanation> explain_elements(const Case& which, std::size_t value_bytes,
                                            Experiment& experiment);

}  // namespace warpmark::plain
