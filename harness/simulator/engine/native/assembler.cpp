#include "harness/simulator/engine/native/assembler.h"

#include <cstring>

namespace warpmark::simulator::native {

void Assembler::word(std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) byte(value >> (8 * i) & 0xFF);
}

void Assembler::bind(Label& label) {
  label.at_ = static_cast<std::ptrdiff_t>(size());
  for (const std::size_t use : label.uses_) {
    const auto distance = static_cast<std::int32_t>(label.at_ - static_cast<std::ptrdiff_t>(use) - 4);
    std::memcpy(code_.data() + use, &distance, sizeof(distance));
  }
  label.uses_.clear();
}

void Assembler::distance_to(Label& label) {
  if (label.at_ < 0) label.uses_.push_back(size());
  word(label.at_ < 0 ? 0U : static_cast<std::uint32_t>(label.at_ - static_cast<std::ptrdiff_t>(size()) - 4));
}

void Assembler::jump(Label& label) {
  byte(0xE9);
  distance_to(label);
}

void Assembler::jump(Condition condition, Label& label) {
  byte(0x0F);
  byte(0x80 | static_cast<unsigned>(condition));
  distance_to(label);
}

void Assembler::jump(Register to) {
  plain(false, {0xFF}, 4, to);
}

void Assembler::call(Register to) {
  plain(false, {0xFF}, 2, to);
}

void Assembler::ret() {
  byte(0xC3);
}

void Assembler::push(Register from) {
  if (from >= r8) byte(0x41);
  byte(0x50 | (from & 7U));
}

void Assembler::pop(Register to) {
  if (to >= r8) byte(0x41);
  byte(0x58 | (to & 7U));
}

// Emits ModRM with a four-byte displacement, and a SIB byte if there is an index.
void Assembler::memory(unsigned reg, const MemoryOperand& operand) {
  const bool indexed = operand.index != MemoryOperand::kNoIndex;
  constexpr unsigned none = 4;  // encodes "no index"
  const unsigned base = operand.base & 7U;
  const bool further = indexed || base == none;
  byte(0x80 | (reg & 7) << 3 | (further ? 4U : base));
  if (further) byte((indexed ? static_cast<unsigned>(operand.index) & 7 : none) << 3 | base);
  word(static_cast<std::uint32_t>(operand.displacement));
}

void Assembler::plain(bool wide, std::initializer_list<unsigned> opcode, unsigned reg, unsigned rm) {
  const unsigned rex = 0x40 | (wide ? 8U : 0U) | (reg >> 3 & 1) << 2 | (rm >> 3 & 1);
  if (rex != 0x40) byte(rex);
  for (const unsigned each : opcode) byte(each);
  byte(0xC0 | (reg & 7) << 3 | (rm & 7));
}

void Assembler::plain(bool wide, std::initializer_list<unsigned> opcode, unsigned reg,
                      const MemoryOperand& operand) {
  const unsigned rex = 0x40 | (wide ? 8U : 0U) | (reg >> 3 & 1) << 2 | (operand.base >> 3 & 1U);
  if (rex != 0x40) byte(rex);
  for (const unsigned each : opcode) byte(each);
  memory(reg, operand);
}

void Assembler::move(Register to, std::uint64_t value) {
  byte(to >= r8 ? 0x49 : 0x48);
  byte(0xB8 | (to & 7U));
  word(static_cast<std::uint32_t>(value));
  word(static_cast<std::uint32_t>(value >> 32));
}
void Assembler::move(Register to, Register from) {
  plain(true, {0x8B}, to, from);
}
void Assembler::load(Register to, const MemoryOperand& from) {
  plain(true, {0x8B}, to, from);
}
void Assembler::store(const MemoryOperand& to, Register from) {
  plain(true, {0x89}, from, to);
}
void Assembler::load32(Register to, const MemoryOperand& from) {
  plain(false, {0x8B}, to, from);
}
void Assembler::store32(const MemoryOperand& to, Register from) {
  plain(false, {0x89}, from, to);
}
void Assembler::store32(const MemoryOperand& to, std::uint32_t value) {
  plain(false, {0xC7}, 0, to);
  word(value);
}
void Assembler::load_unsigned(Register to, const MemoryOperand& from, unsigned bytes) {
  plain(true, {0x0F, bytes == 1 ? 0xB6U : 0xB7U}, to, from);
}
void Assembler::load_signed(Register to, const MemoryOperand& from, unsigned bytes) {
  if (bytes == 4)
    plain(true, {0x63}, to, from);
  else
    plain(true, {0x0F, bytes == 1 ? 0xBEU : 0xBFU}, to, from);
}
void Assembler::load_scaled8(Register to, Register base, Register index) {
  byte(0x48 | (to >= r8 ? 4U : 0U) | (index >= r8 ? 2U : 0U) | (base >= r8 ? 1U : 0U));
  byte(0x8B);
  byte((to & 7U) << 3 | 4U);
  byte(0xC0 | (index & 7U) << 3 | (base & 7U));
}
void Assembler::load_address(Register to, const MemoryOperand& of) {
  plain(true, {0x8D}, to, of);
}
void Assembler::lowest_bit(Register to, Register of) {
  byte(0xF3);
  plain(false, {0x0F, 0xBC}, to, of);
}
void Assembler::add(Register to, std::int32_t value) {
  plain(true, {0x81}, 0, to);
  word(static_cast<std::uint32_t>(value));
}
void Assembler::add(Register to, Register value) {
  plain(true, {0x03}, to, value);
}
void Assembler::add(Register to, const MemoryOperand& value) {
  plain(true, {0x03}, to, value);
}
void Assembler::subtract(Register to, std::int32_t value) {
  plain(true, {0x81}, 5, to);
  word(static_cast<std::uint32_t>(value));
}
void Assembler::subtract(Register to, const MemoryOperand& value) {
  plain(true, {0x2B}, to, value);
}
void Assembler::compare(Register one, const MemoryOperand& other) {
  plain(true, {0x3B}, one, other);
}
void Assembler::compare32(Register one, std::int32_t value) {
  plain(false, {0x81}, 7, one);
  word(static_cast<std::uint32_t>(value));
}
void Assembler::compare32(Register one, Register other) {
  plain(false, {0x3B}, one, other);
}
void Assembler::compare32(const MemoryOperand& one, std::uint32_t value) {
  plain(false, {0x81}, 7, one);
  word(value);
}
void Assembler::compare_byte(const MemoryOperand& one, std::uint8_t value) {
  plain(false, {0x80}, 7, one);
  byte(value);
}
void Assembler::decrement32(const MemoryOperand& at) {
  plain(false, {0xFF}, 1, at);
}
void Assembler::and32(Register to, Register value) {
  plain(false, {0x23}, to, value);
}
void Assembler::and32(Register to, const MemoryOperand& value) {
  plain(false, {0x23}, to, value);
}
void Assembler::or32(Register to, Register value) {
  plain(false, {0x0B}, to, value);
}
void Assembler::xor32(Register to, Register value) {
  plain(false, {0x33}, to, value);
}
void Assembler::xor32(Register to, const MemoryOperand& value) {
  plain(false, {0x33}, to, value);
}
void Assembler::not32(Register to) {
  plain(false, {0xF7}, 2, to);
}
void Assembler::shift_left32(Register to, unsigned by) {
  plain(false, {0xC1}, 4, to);
  byte(by);
}
void Assembler::shift_right32(Register to, unsigned by) {
  plain(false, {0xC1}, 5, to);
  byte(by);
}
void Assembler::test32(Register one, std::uint32_t bits) {
  plain(false, {0xF7}, 0, one);
  word(bits);
}
void Assembler::test32(Register one, Register other) {
  plain(false, {0x85}, one, other);
}

// Emits the three-byte VEX form with register operands.
void Assembler::mask_instruction(unsigned map_prefix, bool wide, bool length, unsigned opcode, unsigned reg,
                                 unsigned first, unsigned rm) {
  byte(0xC4);
  byte((reg >= 8 ? 0U : 0x80U) | 0x40U | (rm >= 8 ? 0U : 0x20U) | VectorCode::m0F);
  byte((wide ? 0x80U : 0U) | (~first & 0xF) << 3 | (length ? 4U : 0U) | map_prefix);
  byte(opcode);
  byte(0xC0 | (reg & 7) << 3 | (rm & 7));
}

namespace {
unsigned move_prefix(unsigned bits) {
  return bits == 8 ? VectorCode::p66 : bits == 16 ? VectorCode::none : VectorCode::pF2;
}
}  // namespace

void Assembler::mask_to(Register to, unsigned mask, unsigned bits) {
  mask_instruction(move_prefix(bits), false, false, 0x93, to, 0, mask);
}
void Assembler::mask_from(unsigned mask, Register from, unsigned bits) {
  mask_instruction(move_prefix(bits), false, false, 0x92, mask, 0, from);
}
void Assembler::mask_or(unsigned to, unsigned one, unsigned other) {
  mask_instruction(VectorCode::p66, false, true, 0x45, to, one, other);
}
void Assembler::mask_test(unsigned one, unsigned other, unsigned bits) {
  mask_instruction(bits == 8 ? VectorCode::p66 : VectorCode::none, false, false, 0x98, one, 0, other);
}
void Assembler::mask_join(unsigned to, unsigned high, unsigned low) {
  mask_instruction(VectorCode::none, false, true, 0x4B, to, high, low);
}
void Assembler::mask_ones(unsigned to) {
  mask_instruction(VectorCode::none, false, true, 0x46, to, to, to);
}

void Assembler::prefix(const VectorCode& code, unsigned length, unsigned to, unsigned first, bool rm_high,
                       bool index_high, bool index_higher, Masking masking, bool broadcast) {
  byte(0x62);
  byte(((to & 8) != 0 ? 0U : 0x80U) | (index_high ? 0U : 0x40U) | (rm_high ? 0U : 0x20U) |
       ((to & 16) != 0 ? 0U : 0x10U) | code.map);
  byte(static_cast<unsigned>(code.wide) << 7 | (~first & 0xF) << 3 | 4U | code.prefix);
  byte((masking.zero ? 0x80U : 0U) | length << 5 | (broadcast ? 0x10U : 0U) |
       ((first & 16) != 0 || index_higher ? 0U : 8U) | masking.mask);
  byte(code.opcode);
}

void Assembler::vector(const VectorCode& code, unsigned length, unsigned to, unsigned first, unsigned second,
                       Masking masking) {
  prefix(code, length, to, first, (second & 8) != 0, (second & 16) != 0, false, masking, false);
  byte(0xC0 | (to & 7) << 3 | (second & 7));
}

void Assembler::vector(const VectorCode& code, unsigned length, unsigned to, unsigned first,
                       const MemoryOperand& second, Masking masking, bool broadcast) {
  const unsigned index = second.index == MemoryOperand::kNoIndex ? 0 : static_cast<unsigned>(second.index);
  prefix(code, length, to, first, second.base >= r8, (index & 8) != 0, (index & 16) != 0, masking, broadcast);
  memory(to, second);
}

void Assembler::vector_immediate(const VectorCode& code, unsigned length, unsigned to, unsigned first,
                                 unsigned second, std::uint8_t value, Masking masking) {
  vector(code, length, to, first, second, masking);
  byte(value);
}

void Assembler::vector_immediate(const VectorCode& code, unsigned length, unsigned to, unsigned first,
                                 const MemoryOperand& second, std::uint8_t value, Masking masking) {
  vector(code, length, to, first, second, masking);
  byte(value);
}

void Assembler::clear_upper() {
  byte(0xC5);
  byte(0xF8);
  byte(0x77);
}

}  // namespace warpmark::simulator::native
