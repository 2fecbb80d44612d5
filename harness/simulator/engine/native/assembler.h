// Assembler for the subset of x86-64 that native kernel code needs (native_code.h). Vector instructions use
// the AVX-512 (EVEX) encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace warpmark::simulator::native {

enum Register : std::uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

// Memory operand: base + displacement, plus one 64-bit or 32-bit offset per lane if an index vector register
// is given (gather and scatter).
struct MemoryOperand {
  static constexpr int kNoIndex = -1;
  Register base;
  std::int32_t displacement = 0;
  int index = kNoIndex;
};

// Identifies a vector instruction: mandatory prefix, opcode map, element size, opcode.
struct VectorCode {
  enum Prefix : std::uint8_t { none, p66, pF3, pF2 };
  enum Map : std::uint8_t { m0F = 1, m0F38 = 2, m0F3A = 3, m5 = 5 };
  Prefix prefix;
  Map map;
  std::uint8_t wide;  // 1: 64-bit elements
  std::uint8_t opcode;
};

// Vector lengths in bits.
inline constexpr unsigned k128 = 0;
inline constexpr unsigned k256 = 1;
inline constexpr unsigned k512 = 2;

// Write mask of an instruction.
struct Masking {
  unsigned mask = 0;  // mask register; 0: none
  bool zero = false;  // masked-out lanes become 0 instead of keeping their value
};

enum class Condition : std::uint8_t { below = 2, not_below, zero, not_zero, not_above, above };

// Jump target. Bound to a position once; jumps to it may be emitted before.
class Label {
  friend class Assembler;
  std::ptrdiff_t at_ = -1;
  std::vector<std::size_t> uses_;  // positions of the jump distances to fill in
};

class Assembler {
 public:
  [[nodiscard]] const std::vector<std::uint8_t>& code() const { return code_; }
  [[nodiscard]] std::size_t size() const { return code_.size(); }

  void bind(Label& label);
  void jump(Label& label);
  void jump(Condition condition, Label& label);
  void jump(Register to);
  void call(Register to);
  void ret();
  void push(Register from);
  void pop(Register to);

  // Operations are 64-bit, except those whose name ends in 32.
  void move(Register to, std::uint64_t value);
  void move(Register to, Register from);
  void load(Register to, const MemoryOperand& from);
  void store(const MemoryOperand& to, Register from);
  void load32(Register to, const MemoryOperand& from);
  void store32(const MemoryOperand& to, Register from);
  void store32(const MemoryOperand& to, std::uint32_t value);
  void load_unsigned(Register to, const MemoryOperand& from, unsigned bytes);  // bytes: 1 or 2
  void load_signed(Register to, const MemoryOperand& from, unsigned bytes);    // bytes: 1, 2 or 4
  // Loads [base + 8 * index]; base must not be rbp or r13.
  void load_scaled8(Register to, Register base, Register index);
  void load_address(Register to, const MemoryOperand& of);
  void lowest_bit(Register to, Register of);  // index of the lowest set bit of a 32-bit value
  void add(Register to, std::int32_t value);
  void add(Register to, Register value);
  void add(Register to, const MemoryOperand& value);
  void subtract(Register to, std::int32_t value);
  void subtract(Register to, const MemoryOperand& value);
  void compare(Register one, const MemoryOperand& other);
  void compare32(Register one, std::int32_t value);
  void compare32(Register one, Register other);
  void compare32(const MemoryOperand& one, std::uint32_t value);
  void compare_byte(const MemoryOperand& one, std::uint8_t value);
  void decrement32(const MemoryOperand& at);
  void and32(Register to, Register value);
  void and32(Register to, const MemoryOperand& value);
  void or32(Register to, Register value);
  void xor32(Register to, Register value);
  void xor32(Register to, const MemoryOperand& value);
  void not32(Register to);
  void shift_left32(Register to, unsigned by);
  void shift_right32(Register to, unsigned by);
  void test32(Register one, std::uint32_t bits);
  void test32(Register one, Register other);

  // Operations on mask registers, of 8, 16 or 32 bits.
  void mask_to(Register to, unsigned mask, unsigned bits);
  void mask_from(unsigned mask, Register from, unsigned bits);
  void mask_or(unsigned to, unsigned one, unsigned other);      // 8 bits
  void mask_test(unsigned one, unsigned other, unsigned bits);  // sets the zero flag if both are all zero
  void mask_join(unsigned to, unsigned high, unsigned low);     // concatenates two 16-bit masks
  void mask_ones(unsigned to);                                  // 16 bits

  void vector(const VectorCode& code, unsigned length, unsigned to, unsigned first, unsigned second,
              Masking masking = {});
  void vector(const VectorCode& code, unsigned length, unsigned to, unsigned first,
              const MemoryOperand& second, Masking masking = {}, bool broadcast = false);
  void vector_immediate(const VectorCode& code, unsigned length, unsigned to, unsigned first, unsigned second,
                        std::uint8_t value, Masking masking = {});
  void vector_immediate(const VectorCode& code, unsigned length, unsigned to, unsigned first,
                        const MemoryOperand& second, std::uint8_t value, Masking masking = {});
  void clear_upper();  // vzeroupper

 private:
  void byte(unsigned value) { code_.push_back(static_cast<std::uint8_t>(value)); }
  void word(std::uint32_t value);
  void memory(unsigned reg, const MemoryOperand& operand);
  void plain(bool wide, std::initializer_list<unsigned> opcode, unsigned reg, unsigned rm);
  void plain(bool wide, std::initializer_list<unsigned> opcode, unsigned reg, const MemoryOperand& operand);
  void distance_to(Label& label);
  void prefix(const VectorCode& code, unsigned length, unsigned to, unsigned first, bool rm_high,
              bool index_high, bool index_higher, Masking masking, bool broadcast);
  void mask_instruction(unsigned map_prefix, bool wide, bool length, unsigned opcode, unsigned reg,
                        unsigned first, unsigned rm);

  std::vector<std::uint8_t> code_;
};

}  // namespace warpmark::simulator::native
