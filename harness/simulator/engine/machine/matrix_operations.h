// Warp-level matrix instructions: mma.sync, and the step of ldmatrix that redistributes loaded rows among
// lanes. Their operands are consecutive 4-byte registers, the first of which is operands[0].
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator::matrix {

// Element type of the matrices that are multiplied. A 32-bit register holds 1, 2 or 4 elements.
enum class Element : std::uint8_t { f16, bf16, tf32, s8, u8 };

// Shape m16n8k<k> and element types of an mma.sync.
struct Shape {
  Element a, b;
  std::uint8_t k;
  bool half_sums;  // true: accumulators are f16, two per register; false: f32 or s32, one per register

  [[nodiscard]] unsigned registers_of_b() const;
  [[nodiscard]] unsigned registers_of_a() const { return 2 * registers_of_b(); }
  [[nodiscard]] unsigned registers_of_sums() const { return half_sums ? 2 : 4; }
};

// Returns the mma shape for a size such as "m16n8k16" and the types of accumulator and factors; nullopt if
// the combination is not supported.
std::optional<Shape> shape_named(std::string_view size, std::string_view sums, std::string_view a,
                                 std::string_view b);
// Returns the handler for an mma.sync of this shape. Its registers are, in order: results, a, b, accumulator
// input.
Handler multiply(const Shape& shape);

// Second step of ldmatrix for 8 x 8 matrices of 16-bit elements: redistributes rows among lanes. Registers: 4
// that hold the row that the lane has loaded, then one result per matrix. Instruction::detail: number of
// matrices (1, 2 or 4), plus 8 if transposed.
void spread_rows(Context& c, const Instruction& i);

}  // namespace warpmark::simulator::matrix
