#include "harness/simulator/engine/machine/matrix_operations.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace warpmark::simulator::matrix {
namespace {

constexpr unsigned kRows = 16, kColumns = 8, kMostK = 32;

constexpr unsigned elements_in_register(Element element) {
  switch (element) {
    case Element::tf32:
      return 1;
    case Element::f16:
    case Element::bf16:
      return 2;
    default:
      return 4;
  }
}

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const auto fraction = static_cast<float>(bits & 0x3FF);
  float value = 0;
  if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else if (exponent == 31)
    value = fraction == 0 ? HUGE_VALF : NAN;
  else
    value = std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

// Converts a float to IEEE half precision, rounding to nearest, ties to even.
std::uint16_t to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16 & 0x8000);
  const float size = std::fabs(value);
  if (std::isnan(value)) return 0x7FFF;
  if (size >= 65520) return sign | 0x7C00;
  int exponent = 0;
  std::frexp(size, &exponent);
  // binary exponent of the spacing between adjacent half-precision numbers near `size`
  const int step = std::max(exponent - 11, -24);
  const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, -step)));
  // If rounding overflows the mantissa, the carry into the exponent field yields the correct encoding.
  const std::uint32_t bits = step == -24 ? steps : (static_cast<std::uint32_t>(step + 24) << 10) + steps;
  return static_cast<std::uint16_t>(sign | bits);
}

// Returns element n of a packed 32-bit register, converted to float or int32.
template <Element kElement>
auto element_of(std::uint32_t word, unsigned n) {
  if constexpr (kElement == Element::f16)
    return from_half(static_cast<std::uint16_t>(word >> (16 * n)));
  else if constexpr (kElement == Element::bf16)
    return std::bit_cast<float>((word >> (16 * n)) << 16);
  else if constexpr (kElement == Element::tf32)
    return std::bit_cast<float>(word & 0xFFFFE000);
  else if constexpr (kElement == Element::s8)
    return static_cast<std::int32_t>(static_cast<std::int8_t>(word >> (8 * n)));
  else
    return static_cast<std::int32_t>(static_cast<std::uint8_t>(word >> (8 * n)));
}

// Accesses a matrix instruction's operands, which are consecutive 32-bit registers.
class Registers {
 public:
  Registers(Context& c, const Instruction& i) : c_(c), first_(i.operands[0]) {}
  [[nodiscard]] const std::uint32_t* read(unsigned number) const {
    return c_.read<std::uint32_t>(first_ + number * static_cast<Operand>(kRowBytes));
  }
  void write(unsigned number, unsigned lane, std::uint32_t value) const {
    if ((c_.mask >> lane & 1) != 0)
      c_.write<std::uint32_t>(first_ + number * static_cast<Operand>(kRowBytes))[lane] = value;
  }

 private:
  Context& c_;
  Operand first_;
};

// Implements mma.sync with the register layout of the PTX ISA ("Matrix Fragments for mma.m16n8k..."): lane 4
// * g + q holds elements of row g (of b: column g) in the q-th group of columns. A group has as many columns
// as elements fit into a register.
template <Element kA, Element kB, unsigned kK, bool kHalfSums>
void product(Context& c, const Instruction& i) {
  using Factor = decltype(element_of<kA>(0, 0));
  using Sum = std::conditional_t<std::is_same_v<Factor, float>, float, std::uint32_t>;
  constexpr unsigned kPerRegister = elements_in_register(kA);
  constexpr unsigned kGroup = 4 * kPerRegister;
  constexpr unsigned kOfB = kK / kGroup, kOfA = 2 * kOfB, kOfSums = kHalfSums ? 2 : 4;
  const Registers registers(c, i);
  std::array<std::array<Factor, kMostK>, kRows> a{};
  std::array<std::array<Factor, kColumns>, kMostK> b{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned g = lane / 4, q = lane % 4;
    for (unsigned n = 0; n < kPerRegister; ++n) {
      for (unsigned r = 0; r < kOfA; ++r)
        a[g + 8 * (r % 2)][r / 2 * kGroup + q * kPerRegister + n] =
            element_of<kA>(registers.read(kOfSums + r)[lane], n);
      for (unsigned r = 0; r < kOfB; ++r)
        b[r * kGroup + q * kPerRegister + n][g] = element_of<kB>(registers.read(kOfSums + kOfA + r)[lane], n);
    }
  }
  const auto sum_of = [&](unsigned row, unsigned column, std::uint32_t before) {
    Sum sum = kHalfSums ? static_cast<Sum>(from_half(static_cast<std::uint16_t>(before)))
                        : std::bit_cast<Sum>(before);
    for (unsigned k = 0; k < kK; ++k) sum += static_cast<Sum>(a[row][k] * b[k][column]);
    return sum;
  };
  constexpr unsigned kBefore = kOfSums + kOfA + kOfB;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned g = lane / 4, q = lane % 4;
    for (unsigned r = 0; r < kOfSums; ++r) {
      const std::uint32_t before = registers.read(kBefore + r)[lane];
      if constexpr (kHalfSums) {
        const std::uint32_t low = to_half(sum_of(g + 8 * r, 2 * q, before));
        const std::uint32_t high = to_half(sum_of(g + 8 * r, 2 * q + 1, before >> 16));
        registers.write(r, lane, low | high << 16);
      } else {
        registers.write(r, lane,
                        std::bit_cast<std::uint32_t>(sum_of(g + 8 * (r / 2), 2 * q + r % 2, before)));
      }
    }
  }
}

template <Element kA, Element kB>
Handler product_of(const Shape& shape) {
  constexpr unsigned kGroup = 4 * elements_in_register(kA);
  if constexpr (kA == Element::f16) {
    if (shape.half_sums)
      return shape.k == kGroup ? &product<kA, kB, kGroup, true> : &product<kA, kB, 2 * kGroup, true>;
  }
  return shape.k == kGroup ? &product<kA, kB, kGroup, false> : &product<kA, kB, 2 * kGroup, false>;
}

std::optional<Element> element_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Element>, 5> kNames{{{"f16", Element::f16},
                                                                        {"bf16", Element::bf16},
                                                                        {"tf32", Element::tf32},
                                                                        {"s8", Element::s8},
                                                                        {"u8", Element::u8}}};
  for (const auto& [each, element] : kNames) {
    if (each == name) return element;
  }
  return std::nullopt;
}

bool is_integer(Element element) {
  return element == Element::s8 || element == Element::u8;
}

}  // namespace

unsigned Shape::registers_of_b() const {
  return k / (4 * elements_in_register(a));
}

std::optional<Shape> shape_named(std::string_view size, std::string_view sums, std::string_view a,
                                 std::string_view b) {
  const auto first = element_named(a), second = element_named(b);
  if (!first || !second || (first != second && !(is_integer(*first) && is_integer(*second))))
    return std::nullopt;
  constexpr std::string_view kPrefix = "m16n8k";
  if (!size.starts_with(kPrefix)) return std::nullopt;
  size.remove_prefix(kPrefix.size());
  const unsigned group = 4 * elements_in_register(*first);
  const unsigned k = size == "4" ? 4 : size == "8" ? 8 : size == "16" ? 16 : size == "32" ? 32 : 0;
  if (k != group && k != 2 * group) return std::nullopt;
  const bool half_sums = sums == "f16";
  if (is_integer(*first) ? sums != "s32" : sums != "f32" && !(half_sums && *first == Element::f16))
    return std::nullopt;
  return Shape{*first, *second, static_cast<std::uint8_t>(k), half_sums};
}

Handler multiply(const Shape& shape) {
  switch (shape.a) {
    case Element::f16:
      return product_of<Element::f16, Element::f16>(shape);
    case Element::bf16:
      return product_of<Element::bf16, Element::bf16>(shape);
    case Element::tf32:
      return product_of<Element::tf32, Element::tf32>(shape);
    case Element::s8:
      return shape.b == Element::s8 ? product_of<Element::s8, Element::s8>(shape)
                                    : product_of<Element::s8, Element::u8>(shape);
    case Element::u8:
      return shape.b == Element::s8 ? product_of<Element::u8, Element::s8>(shape)
                                    : product_of<Element::u8, Element::u8>(shape);
  }
  return nullptr;
}

// Redistributes the rows of 8 x 8 matrices. Before: lane 8 * m + r holds row r of matrix m, as ldmatrix loads
// it. Afterwards: lane 4 * g + q holds elements 2 * q and 2 * q + 1 of row g of each matrix.
void spread_rows(Context& c, const Instruction& i) {
  constexpr unsigned kTransposed = 8, kWordsOfRow = 4;
  const Registers registers(c, i);
  const bool transposed = (i.detail & kTransposed) != 0;
  const unsigned matrices = i.detail & ~kTransposed;
  const auto element = [&](unsigned matrix, unsigned row, unsigned column) {
    const std::uint32_t word = registers.read(column / 2)[8 * matrix + row];
    return word >> (16 * (column % 2)) & 0xFFFF;
  };
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned g = lane / 4, q = 2 * (lane % 4);
      const std::uint32_t low = transposed ? element(matrix, q, g) : element(matrix, g, q);
      const std::uint32_t high = transposed ? element(matrix, q + 1, g) : element(matrix, g, q + 1);
      registers.write(kWordsOfRow + matrix, lane, low | high << 16);
    }
  }
}

}  // namespace warpmark::simulator::matrix
