// What a warp does with matrices: mma.sync, and the spreading of ldmatrix. Values lie in a row of consecutive
// registers of 4 bytes, which operands[0] begins.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/simulator/operations/context.h"

namespace warpmark::simulator::matrix {

// An element of the factors; a register of 32 bits holds 1, 2 or 4 of them.
enum class Element : std::uint8_t { f16, bf16, tf32, s8, u8 };

// A product of 16 rows and 8 columns.
struct Shape {
  Element a, b;
  std::uint8_t k;
  bool half_sums;  // sums of f16, two in a register; otherwise f32 or s32

  [[nodiscard]] unsigned registers_of_b() const;
  [[nodiscard]] unsigned registers_of_a() const { return 2 * registers_of_b(); }
  [[nodiscard]] unsigned registers_of_sums() const { return half_sums ? 2 : 4; }
};

// "m16n8k16" with the types of the sums and the factors; nothing where there is no such product here.
std::optional<Shape> shape_named(std::string_view size, std::string_view sums, std::string_view a,
                                 std::string_view b);
// The registers: results, then a, b and the sums before.
Handler multiply(const Shape& shape);

// ldmatrix of 8 x 8 elements of 16 bits. The registers: 4 that hold the row that the lane has loaded, then
// one for each matrix. detail: how many matrices (1, 2, 4), and 8 more where they are transposed.
void spread_rows(Context& c, const Instruction& i);

}  // namespace warpmark::simulator::matrix
