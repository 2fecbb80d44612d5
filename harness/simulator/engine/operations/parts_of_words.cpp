// PTX's "SIMD video" instructions (vadd2, vmax4, ...): operate separately on the four bytes or two half-words
// of a word, or sum the results.
#include <algorithm>
#include <string_view>
#include <type_traits>

#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

// Element operations of PTX's SIMD video instructions, on one byte or half-word of each operand, extended
// to 32 bits.
struct AddParts {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return a + b; }
};
struct SubtractParts {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return a - b; }
};
struct AverageParts {  // averages of two bytes or half-words, rounded away from zero
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
};
struct DifferenceOfParts {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return a < b ? b - a : a - b; }
};
struct LesserParts {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return std::min(a, b); }
};
struct GreaterParts {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return std::max(a, b); }
};

// SIMD video instruction without accumulation (vadd4): applies Op to each pair of corresponding bytes or
// half-words of a and b; the results form the result word. The third operand is ignored: it would supply the
// parts that a write mask excludes, and masks are not supported.
template <class Op, class A, class B>
struct Parts {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t /*rest*/) {
    using Bits = std::make_unsigned_t<A>;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4 / sizeof(A); ++i) {
      const std::int32_t value = Op::apply(part_of<A>(a, i), part_of<B>(b, i));
      word |= std::uint32_t{static_cast<Bits>(value)} << (8 * sizeof(A) * i);
    }
    return word;
  }
};
// SIMD video instruction with accumulation (vadd4.add): adds the results of Op on all byte or half-word pairs
// to the third operand.
template <class Op, class A, class B>
struct SumOfParts {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
    for (unsigned i = 0; i < 4 / sizeof(A); ++i)
      sum += static_cast<std::uint32_t>(Op::apply(part_of<A>(a, i), part_of<B>(b, i)));
    return sum;
  }
};

template <class Op, class A, class B>
Operation of_types(bool sum) {
  using U = std::uint32_t;
  return sum ? slow<SumOfParts<Op, A, B>, U, U, U, U>() : slow<Parts<Op, A, B>, U, U, U, U>();
}

template <class Op, class Signed>
Operation of_signs(const Mnemonic& mnemonic, bool sum) {
  using Plain = std::make_unsigned_t<Signed>;
  const auto is_word = [&](std::size_t i) {
    return mnemonic.type(i) == Type::s32 || mnemonic.type(i) == Type::u32;
  };
  if (!is_word(0) || !is_word(1) || !is_word(2)) return {};
  const bool b_signed = mnemonic.type(2) == Type::s32;
  if (mnemonic.type(1) == Type::s32)
    return b_signed ? of_types<Op, Signed, Signed>(sum) : of_types<Op, Signed, Plain>(sum);
  return b_signed ? of_types<Op, Plain, Signed>(sum) : of_types<Op, Plain, Plain>(sum);
}

template <class Op>
Operation of_size(const Mnemonic& mnemonic, unsigned parts, bool sum) {
  return parts == 4 ? of_signs<Op, std::int8_t>(mnemonic, sum) : of_signs<Op, std::int16_t>(mnemonic, sum);
}

}  // namespace

// Returns the handler of vadd2, ..., vmax4 with operands d, a, b and c; empty if there is none. Masks,
// selectors and saturation are not supported.
Operation parts_operation(const Mnemonic& mnemonic) {
  std::string_view name = mnemonic.name;
  constexpr std::string_view kSum = ".add";
  const bool sum = name.ends_with(kSum);
  if (sum) name.remove_suffix(kSum.size());
  if (!name.starts_with('v') || (!name.ends_with('2') && !name.ends_with('4'))) return {};
  const unsigned parts = name.back() == '4' ? 4 : 2;
  name = name.substr(1, name.size() - 2);
  if (name == "add") return of_size<AddParts>(mnemonic, parts, sum);
  if (name == "sub") return of_size<SubtractParts>(mnemonic, parts, sum);
  if (name == "avrg") return of_size<AverageParts>(mnemonic, parts, sum);
  if (name == "absdiff") return of_size<DifferenceOfParts>(mnemonic, parts, sum);
  if (name == "min") return of_size<LesserParts>(mnemonic, parts, sum);
  if (name == "max") return of_size<GreaterParts>(mnemonic, parts, sum);
  return {};
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
