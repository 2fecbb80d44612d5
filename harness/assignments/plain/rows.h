// Rows of a buffer at a size, and the padding behind their columns.
#pragma once

#include <cstddef>
#include <span>

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// A buffer's row in numbers (elements times components). Without `row` both are 0.
struct Row {
  std::size_t numbers = 0;  // from the beginning of a row to that of the next
  std::size_t used = 0;     // the others are padding
  // True if rows have padding.
  [[nodiscard]] bool padded() const { return used < numbers; }
  [[nodiscard]] bool is_padding(std::size_t number) const { return padded() && number % numbers >= used; }
};

// Returns a buffer's rows at a size. Throws AssignmentFault if `columns` exceeds `row`, or an expression has
// no value of 0 or more.
Row row_of(const Spec& spec, const BufferRule& rule, const Size& size, const Element& element);

// Sets the padding, if there is any, to 0.
void fill_padding(const Row& row, std::size_t number_bytes, std::span<std::byte> contents);
// Returns true if the padding of both contents is equal, bit for bit, or there is none.
bool same_padding(const Row& row, std::size_t number_bytes, std::span<const std::byte> a,
                  std::span<const std::byte> b);

// Returns an amount of work at a size. Throws AssignmentFault if it cannot be computed.
double amount_of(const Spec& spec, const Expression& expression, const Size& size);

}  // namespace warpmark::plain
