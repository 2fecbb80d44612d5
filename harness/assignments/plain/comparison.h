// Compares outputs with expected values, number by number.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/assignments/plain/rows.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

struct Difference {
  std::size_t number = 0;  // index of the first wrong number in the output
  std::string expected;    // text of the expected number, with the tolerance if there is one
  std::string actual;
  std::string before;  // "" or ": it still holds ...": the number is what it was before the call
  // First wrong member if the output holds structs; `number` is the struct's index.
  const Member* member = nullptr;
};

// Everything needed to compare one output buffer: element type, tolerance, expected bytes and row padding.
struct Comparison {
  const Element* element;
  const Tolerance* tolerance;
  std::span<const std::byte> expected;  // expected contents of the whole output buffer
  std::span<const std::byte> bounds;  // allowed deviation of each number, if tolerance->expected; else empty
  std::span<const std::byte> before;  // the output's contents before the call, if known; else empty
  Row row = {};  // row layout of the output; padding behind a row must equal the expected bits
};

// Compares part of an output, which begins at number `from`, with the expected contents; returns nullopt if
// it is right. NaN is right only if the tolerance requires equal bits.
std::optional<Difference> first_difference(const Comparison& comparison, std::size_t from,
                                           std::span<const std::byte> actual);

// Returns the index of the first element that is NaN or has a member that is, if there is one; padding behind
// a row is left out.
std::optional<std::size_t> first_nan(const Element& element, const Row& row,
                                     std::span<const std::byte> contents);

// Returns the number at `index` of a buffer as text for messages. The index must be within the buffer.
std::string number_text(Number number, std::span<const std::byte> bytes, std::uint64_t index);

// Returns the index of the first error bound that is negative or NaN, if there is one.
std::optional<std::size_t> bad_bound(const Element& element, std::span<const std::byte> bounds);

}  // namespace warpmark::plain
