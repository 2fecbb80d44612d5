// The operation table: maps a PTX mnemonic to the handler that executes the instruction. Handlers are
// compiled for baseline x86-64, AVX2 and AVX-512, or only for the build machine (WARPMARK_OPERATIONS in
// CMake); the variant is chosen when a GPU module is loaded.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// A PTX mnemonic, split: ld.global.v2.u32 has the name "ld.global.v2" and the types {u32}.
struct Mnemonic {
  std::string_view name;
  std::span<const ptx::Type> types;

  [[nodiscard]] ptx::Type type(std::size_t index = 0) const {
    return index < types.size() ? types[index] : ptx::Type::none;
  }
};

// A handler that executes a PTX instruction, and the sizes of the operands that the handler expects,
// destination first, in bytes per lane (0 for a predicate).
struct Operation {
  Handler handler = nullptr;
  std::array<std::uint8_t, 5> sizes{};
  std::uint8_t count = 0;
};

// Values of Instruction::detail of setp: how the comparison is combined with a third predicate.
inline constexpr std::uint8_t kCombineMask = 3;
inline constexpr std::uint8_t kCombineAnd = 1;
inline constexpr std::uint8_t kCombineOr = 2;
inline constexpr std::uint8_t kCombineXor = 3;
inline constexpr std::uint8_t kCombineNegated = 4;

// Types of a move between memory and a register: ld.s8 into a 32-bit register has memory type s8 and 4
// register bytes.
struct Move {
  ptx::Type memory = ptx::Type::none;
  std::size_t register_bytes = 0;
  std::size_t vector = 1;
};

struct Operations {
  Operation (*integer)(const Mnemonic&);
  Operation (*bits)(const Mnemonic&);
  // Returns how to execute a mov, selp or predicate-logic instruction; an empty Operation if unsupported.
  Operation (*moves)(const Mnemonic&);
  Operation (*real)(const Mnemonic&);
  // Returns how to execute a setp or set instruction; an empty Operation if unsupported.
  Operation (*compare)(const Mnemonic&);
  Operation (*convert)(const Mnemonic&, std::size_t destination_bytes, std::size_t source_bytes);
  Handler (*load)(const Move&);
  Handler (*store)(const Move&);
  Handler (*load_frame)(const Move&);  // returns the handler of a load from the stack frame at a fixed offset
  Handler (*store_frame)(const Move&);
  // returns the handler of a load of a kernel argument, the same for all lanes
  Handler (*load_parameter)(const Move&);
  // Returns the handler of atom.<operation>, e.g. "add". The handler executes red if there is no destination.
  Handler (*atomic)(std::string_view operation, ptx::Type);
  // mov between a packed value and its parts. Operands 0 and up: parts of register_bytes each;
  // kAddressOperand: packed value.
  Handler (*pack)(const Move&);
  Handler (*unpack)(const Move&);
  Handler frame_address;  // computes the generic or local address of the stack frame + Instruction::offset
};

enum class Variant : std::uint8_t { baseline, avx2, avx512 };
// True if this build contains the handlers for the given x86 instruction set and this processor supports it.
bool runs_here(Variant variant);
// Returns the best x86 instruction set for which this build has handlers and which this processor supports.
// Throws std::runtime_error, with the remedy, if there is none because the build was for another processor.
Variant best_variant();
// Returns the PTX operation table for the best x86 instruction set that the processor supports.
const Operations& operations();

namespace baseline {
const Operations& table();
}
namespace avx2 {
const Operations& table();
}
namespace avx512 {
const Operations& table();
}

}  // namespace warpmark::simulator
