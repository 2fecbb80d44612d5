// Helpers for the operation tables: select an operation's template instance for a PTX type.
#pragma once

#include <cstdint>
#include <iterator>

#include "harness/simulator/engine/operations/lanes.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::WARPMARK_VARIANT {

// An operation's name and the function that returns its template instance for a PTX type (empty if there is
// none).
struct Row {
  std::string_view name;
  Operation (*pick)(ptx::Type);
};

template <std::size_t N>
Operation look_up(const Row (&rows)[N], const Mnemonic& mnemonic) {
  for (const Row& row : rows) {
    if (row.name == mnemonic.name) return row.pick(mnemonic.type());
  }
  return {};
}

template <class Op, class D, class... S>
Operation fast() {
  return {&lanewise<Op, D, S...>, {sizeof(D), sizeof(S)...}, 1 + sizeof...(S)};
}
template <class Op, class D, class... S>
Operation slow() {
  return {&each_lane<Op, D, S...>, {sizeof(D), sizeof(S)...}, 1 + sizeof...(S)};
}

// Returns byte or half-word number `index` of a word, as type Part.
template <class Part>
Part part_of(std::uint32_t word, unsigned index) {
  return static_cast<Part>(word >> (8 * sizeof(Part) * index));
}

// The for_... functions call make<T>() with the C++ type T of a PTX type; .b types become unsigned integers.
template <class Make>
Operation for_integer(ptx::Type type, Make make) {
  switch (type) {
    case ptx::Type::s16:
      return make.template operator()<std::int16_t>();
    case ptx::Type::u16:
      return make.template operator()<std::uint16_t>();
    case ptx::Type::s32:
      return make.template operator()<std::int32_t>();
    case ptx::Type::u32:
      return make.template operator()<std::uint32_t>();
    case ptx::Type::s64:
      return make.template operator()<std::int64_t>();
    case ptx::Type::u64:
      return make.template operator()<std::uint64_t>();
    default:
      return {};
  }
}
template <class Make>
Operation for_bits(ptx::Type type, Make make) {
  switch (type) {
    case ptx::Type::b16:
      return make.template operator()<std::uint16_t>();
    case ptx::Type::b32:
      return make.template operator()<std::uint32_t>();
    case ptx::Type::b64:
      return make.template operator()<std::uint64_t>();
    default:
      return {};
  }
}
template <class Make>
Operation for_wide_bits(ptx::Type type, Make make) {
  return type == ptx::Type::b16 ? Operation{} : for_bits(type, make);
}
template <class Make>
Operation for_real(ptx::Type type, Make make) {
  switch (type) {
    case ptx::Type::f32:
      return make.template operator()<float>();
    case ptx::Type::f64:
      return make.template operator()<double>();
    default:
      return {};
  }
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
