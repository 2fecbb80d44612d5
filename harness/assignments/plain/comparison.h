// Compares outputs with expected values, number by number.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/assignments/plain/rows.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

struct Difference {
  std::size_t number = 0;  // index of the first wrong number
  std::string expected;    // with the tolerance, if there is one
  std::string actual;
  std::string before;              // "" or ": it still holds ...": the number is what it was before the call
  const Member* member = nullptr;  // of a struct, the wrong one; `number` is then the index of the struct
};

// What one output is compared with. Bytes of numbers of one type.
struct Comparison {
  const Element* element;
  const Tolerance* tolerance;
  std::span<const std::byte> expected;  // of the whole buffer
  std::span<const std::byte> bounds;    // as many numbers, if tolerance->expected; else empty
  std::span<const std::byte> before;    // contents before the call, if they are known; else empty
  Row row = {};                         // padding must have the expected bits
};

// Compares `actual` with the numbers from index `from` on; nullopt if all are right. NaN is right only with
// `bits`.
std::optional<Difference> first_difference(const Comparison& comparison, std::size_t from,
                                           std::span<const std::byte> actual);

// Returns a number as messages show it. The index must be within the bytes.
std::string number_text(Number number, std::span<const std::byte> bytes, std::uint64_t index);

// Returns the index of the first bound that is negative or NaN, if there is one.
std::optional<std::size_t> bad_bound(const Element& element, std::span<const std::byte> bounds);

}  // namespace warpmark::plain
