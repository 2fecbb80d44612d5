// An assignment's description (Spec) evaluated at one input size and value type: element counts, value ranges
// and scalars as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/classes.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Returns the number of elements of a buffer in a test case: 0 if the case's data class leaves the buffer
// out. Throws AssignmentFault if it cannot be computed or does not fit in memory.
std::uint64_t elements_of(const Spec& spec, const BufferRule& rule, const Size& size, const Element& element,
                          std::string_view leading);

// Returns the range of a buffer's or scalar's numbers. Throws AssignmentFault if a bound cannot be computed,
// the type cannot hold it, or high is below low although there are elements. what: the name of the buffer or
// scalar in the error message, such as "keys".
Range range_of(const Spec& spec, std::string_view what, int line, const std::optional<Bound>& low,
               const std::optional<Bound>& high, const Element& element, std::string_view data_class,
               double sum_below, const Size& size, bool empty);

// The data class and the size at which data.cpp filled a buffer.
struct Made {
  std::string_view data_class;
  Size size;
};
// Throws AssignmentFault if data.cpp has set a whole number of the buffer outside the range.
void check_made(const Spec& spec, const BufferRule& rule, const Element& element,
                std::span<const std::byte> contents, const Range& range, const Made& made);

// Returns the classes of data for a value type, in the order in which cases use them.
std::vector<std::string> classes_of(const Spec& spec, std::string_view type);

// Returns the data class that generates a buffer in a test case. A case is named after the `leading` class;
// buffers that do not list it use another one.
std::string class_in(const Spec& spec, const BufferRule& rule, std::string_view type,
                     std::string_view leading);

// Draws the scalar arguments of a test case; returns their bits in the order of assignment.toml.
std::vector<std::uint64_t> draw_scalars(const Spec& spec, const Case& which);

}  // namespace warpmark::plain
