// Row layout of two-dimensional buffers at a given input size: elements in use and the padding behind them.
#pragma once

#include <cstddef>
#include <span>

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Row length of a two-dimensional buffer, in numbers (elements times components). One-dimensional buffers
// have 0.
struct Row {
  std::size_t numbers = 0;  // row pitch: numbers from one row's start to the next one's
  std::size_t used = 0;     // numbers in use per row of a buffer; the rest of the row is padding
  [[nodiscard]] bool padded() const { return used < numbers; }
  [[nodiscard]] bool is_padding(std::size_t number) const { return padded() && number % numbers >= used; }
};

// Returns a buffer's row layout at an input size. Throws AssignmentFault if the expression `columns` exceeds
// `row`, or one of them has no value of 0 or more.
Row row_of(const Spec& spec, const BufferRule& rule, const Size& size, const Element& element);

// Sets the padding behind the rows of a buffer to 0; no effect on buffers without padding.
void fill_padding(const Row& row, std::size_t number_bytes, std::span<std::byte> contents);
// Returns true if the padding of both contents is equal, bit for bit, or there is none.
bool same_padding(const Row& row, std::size_t number_bytes, std::span<const std::byte> a,
                  std::span<const std::byte> b);

// Evaluates an amount of work (bytes or operations) at an input size. Throws AssignmentFault if the
// expression cannot be evaluated.
double amount_of(const Spec& spec, const Expression& expression, const Size& size);

}  // namespace warpmark::plain
