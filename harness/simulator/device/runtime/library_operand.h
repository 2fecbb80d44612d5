// Operands of library routines (warpmark_cuda/host/library_call.h): where their elements lie.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <warpmark_cuda/host/library_call.h>

namespace warpmark::simulator {

// True if no sum or product of a library operand's sizes and strides, which the CUDA program chose, can
// overflow in the device process or in LAPACK, which counts the elements of its work areas in 32 bits.
bool is_sound(const WarpmarkOperand& operand, long long problems);
// Returns the number of bytes that a library routine's matrix spans, from the beginning of its first
// element to the end of its last.
std::size_t extent_of(const WarpmarkOperand& operand);
// Returns the shape of a library routine's matrix for a message, such as "64 x 8 elements of 8 bytes, 70
// from one column to the next".
std::string describe(const WarpmarkOperand& operand);

struct Dimension {
  long long count;
  long long apart;  // stride: distance in elements between consecutive indices of a matrix dimension
};
inline std::array<Dimension, 4> dimensions_of(const WarpmarkOperand& operand) {
  return {{{operand.rows, operand.step},
           {operand.columns, operand.leading},
           {operand.outer[0], operand.apart[0]},
           {operand.outer[1], operand.apart[1]}}};
}

// Calls use(offset, bytes) for each contiguous run of bytes of a library routine's strided matrix. Offsets
// count from the matrix's first element.
template <class Use>
void for_each_run(const WarpmarkOperand& operand, Use use) {
  const auto run = [&](long long first, long long count) {
    use(static_cast<std::size_t>(first * operand.element), static_cast<std::size_t>(count * operand.element));
  };
  if (warpmark_uses_all(&operand) == 0) {
    for (long long column = 0; column < operand.columns; ++column) {
      const long long first = std::max(column - operand.above, 0LL);
      const long long end = std::min(column + operand.below + 1, operand.rows);
      if (first < end) run(warpmark_place(&operand, first, column), end - first);
    }
    return;
  }
  // Sorts a matrix's dimensions by stride and merges those without gaps between them into one contiguous
  // run.
  auto dimensions = dimensions_of(operand);
  std::ranges::sort(dimensions, {}, [](const Dimension& of) { return of.count == 1 ? 0 : of.apart; });
  long long adjacent = 1;
  auto outer = dimensions.begin();
  while (outer != dimensions.end() && (outer->count == 1 || outer->apart == adjacent))
    adjacent *= outer++->count;
  long long runs = 1;
  for (auto each = outer; each != dimensions.end(); ++each) runs *= each->count;
  for (long long i = 0; i < (adjacent == 0 ? 0 : runs); ++i) {
    long long first = 0;
    long long rest = i;
    for (auto each = outer; each != dimensions.end(); rest /= each++->count)
      first += rest % each->count * each->apart;
    run(first, adjacent);
  }
}

}  // namespace warpmark::simulator
