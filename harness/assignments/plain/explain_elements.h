// Explains wrong elements of an in-place elementwise kernel (element i of the answer depends on element i of
// the input alone) by running it at smaller sizes.
#pragma once

#include <optional>

#include "harness/assignments/assignment.h"

namespace warpmark::plain {

// Finds the smallest input size at which an elementwise kernel answers wrongly and names the wrong elements.
// value_bytes: sizeof one element.
std::optional<Explanation> explain_elements(const Case& which, std::size_t value_bytes,
                                            Experiment& experiment);

}  // namespace warpmark::plain
