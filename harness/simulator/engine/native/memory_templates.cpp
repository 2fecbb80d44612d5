// Templates of loads and stores of global and shared memory. The generated code selects the access pattern at
// run time: consecutive values, one address for all lanes, or any addresses in one allocation. The handler
// does the rest: several allocations, invalid addresses, accesses with a memory order.
#include <array>
#include <limits>

#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {
namespace {

using ptx::Type;
using C = VectorCode;

constexpr unsigned kAddresses = 8;  // vector registers 8 to 11 hold the lanes' addresses
constexpr std::int32_t kFurthest = 1 << 30;

// Byte offsets of consecutive values: lane * bytes.
template <class T>
struct Steps {
  alignas(64) std::array<T, kLanes> distance{};
  explicit constexpr Steps(unsigned bytes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) distance[lane] = static_cast<T>(lane * bytes);
  }
};
constexpr std::array<Steps<std::uint64_t>, 5> kSteps{Steps<std::uint64_t>(1), Steps<std::uint64_t>(2),
                                                     Steps<std::uint64_t>(4), Steps<std::uint64_t>(8),
                                                     Steps<std::uint64_t>(16)};
constexpr std::array<Steps<std::uint32_t>, 2> kShortSteps{Steps<std::uint32_t>(8), Steps<std::uint32_t>(16)};

struct Shape {
  unsigned bytes = 0;      // bytes of a value in memory
  bool is_signed = false;  // its type in memory is signed
  unsigned wide = 0;       // bytes of its register
  unsigned count = 1;      // values per lane

  [[nodiscard]] unsigned width() const { return bytes * count; }
};

class MemoryAccess {
 public:
  MemoryAccess(Emitter& emitter, const Instruction& instruction, const Shape& shape, Label& otherwise)
      : e_(emitter), i_(instruction), shape_(shape), otherwise_(otherwise) {}

  void load() {
    if (!can_be_native()) return e_.jump(otherwise_);
    Label scattered;
    Label done;
    load_addresses();
    if (!e_.masked()) {
      Label not_side_by_side;
      test_side_by_side(not_side_by_side);
      locate(std::int32_t{kLanes} * static_cast<std::int32_t>(shape_.width()));
      load_side_by_side();
      e_.jump(done);
      e_.bind(not_side_by_side);
    }
    test_equal(scattered);
    locate(static_cast<std::int32_t>(shape_.width()));
    load_equal();
    e_.jump(done);
    e_.bind(scattered);
    if (shape_.bytes < 4 || shape_.bytes != shape_.wide) {
      e_.jump(otherwise_);
    } else {
      locate_all();
      gather();
    }
    e_.bind(done);
  }

  void store() {
    if (!can_be_native() || shape_.bytes != shape_.wide) return e_.jump(otherwise_);
    if (i_.space != ptx::Space::shared) {  // the handler must see the first change of memory, to set the flag
      e_.load(rcx, in_context(&Context::lasting_effect));
      e_.compare_byte({rcx}, 0);
      e_.jump(Condition::zero, otherwise_);
    }
    Label done;
    load_addresses();
    if (!e_.masked() && shape_.count == 1) {
      Label not_side_by_side;
      test_side_by_side(not_side_by_side);
      locate(std::int32_t{kLanes} * static_cast<std::int32_t>(shape_.width()));
      store_side_by_side();
      e_.jump(done);
      e_.bind(not_side_by_side);
    }
    if (shape_.bytes < 4) {
      e_.jump(otherwise_);
    } else {
      locate_all();
      scatter();
    }
    e_.bind(done);
  }

 private:
  [[nodiscard]] bool can_be_native() const {
    const bool known = i_.space == ptx::Space::global || i_.space == ptx::Space::constant ||
                       i_.space == ptx::Space::shared || i_.space == ptx::Space::none;
    return known && !i_.strong() && i_.offset > -kFurthest && i_.offset < kFurthest &&
           i_.offset % static_cast<std::int64_t>(shape_.width()) == 0 && i_.target < (1U << 20);
  }
  [[nodiscard]] std::int32_t offset() const { return static_cast<std::int32_t>(i_.offset); }
  [[nodiscard]] bool shared() const { return i_.space == ptx::Space::shared; }
  [[nodiscard]] Masking lanes(unsigned eight) const {
    return {.mask = e_.masked() ? Emitter::mask_of_eight(eight) : 0};
  }

  // Leaves the first active lane's address in all elements of vector register 4, and in rax.
  void load_addresses() {
    const Operand row = i_.operands[kAddressOperand];
    for (unsigned n = 0; n < 4; ++n) e_.load_vector(kAddresses + n, Emitter::part(row, n));
    if (!e_.masked()) {
      e_.load(rax, Emitter::memory_of(row));
      e_.vector(op::broadcast64, k512, 4, 0, Emitter::memory_of(row));
      return;
    }
    e_.load32(rcx, in_context(&Context::mask));
    e_.lowest_bit(rcx, rcx);
    e_.load_address(rdx, Emitter::memory_of(row));
    e_.load_scaled8(rax, rdx, rcx);
    e_.vector({C::p66, C::m0F38, 1, 0x7C}, k512, 4, 0, rax);
  }

  // Jumps if the comparison holds for some active lane.
  template <class Compare>
  void test(Label& if_any, Compare compare) {
    for (unsigned n = 0; n < 4; ++n) {
      const unsigned result = n == 0 ? 0 : Emitter::kFree;
      compare(result, n);
      if (n > 0) e_.mask_or(0, 0, Emitter::kFree);
    }
    e_.mask_test(0, 0, 8);
    e_.jump(Condition::not_zero, if_any);
  }
  void test_side_by_side(Label& otherwise) {
    unsigned power = 0;
    while (1U << power != shape_.width()) ++power;
    e_.move(rcx, reinterpret_cast<std::uint64_t>(kSteps[power].distance.data()));
    test(otherwise, [&](unsigned result, unsigned n) {
      e_.vector(op::add64, k512, 5, 4, MemoryOperand{rcx, static_cast<std::int32_t>(64 * n)});
      e_.vector_immediate(op::compare_unsigned64, k512, result, 5, kAddresses + n, kNotEqual);
    });
  }
  void test_equal(Label& otherwise) {
    test(otherwise, [&](unsigned result, unsigned n) {
      e_.vector_immediate(op::compare_unsigned64, k512, result, 4, kAddresses + n, kNotEqual, lanes(n));
    });
  }

  void load_hit() {
    e_.load(rdi, in_context(&Context::hits));
    e_.add(rdi, static_cast<std::int32_t>(i_.target * sizeof(Hit)));
  }
  static MemoryOperand of_hit(std::size_t offset) { return {rdi, static_cast<std::int32_t>(offset)}; }
  [[nodiscard]] MemoryOperand begin() const { return of_hit(offsetof(Hit, begin)); }
  [[nodiscard]] MemoryOperand bytes() const {
    return shared() ? in_context(&Context::shared_bytes) : of_hit(offsetof(Hit, bytes));
  }
  [[nodiscard]] MemoryOperand delta() const {
    return shared() ? in_context(&Context::shared) : of_hit(offsetof(Hit, delta));
  }

  // Leaves in rcx the host address of `span` bytes from the first lane's address on.
  void locate(std::int32_t span) {
    if (!shared()) load_hit();
    e_.move(rcx, rax);
    if (offset() != 0) e_.add(rcx, offset());
    e_.move(rdx, rcx);
    if (!shared()) e_.subtract(rdx, begin());
    e_.compare(rdx, bytes());
    e_.jump(Condition::not_below, otherwise_);
    e_.add(rdx, span);
    e_.compare(rdx, bytes());
    e_.jump(Condition::above, otherwise_);
    if (shape_.width() > 1) {
      e_.test32(rcx, shape_.width() - 1);
      e_.jump(Condition::not_zero, otherwise_);
    }
    e_.add(rcx, delta());
  }

  // Checks that all lanes' accesses are in bounds and aligned. Leaves in rcx the host address minus the
  // device address.
  void locate_all() {
    if (!shared()) load_hit();
    e_.load(rdx, bytes());
    e_.subtract(rdx, static_cast<std::int32_t>(shape_.width()));
    e_.jump(Condition::below, otherwise_);
    e_.vector({C::p66, C::m0F38, 1, 0x7C}, k512, 5, 0, rdx);  // last valid offset
    e_.move(rdx, static_cast<std::uint64_t>(i_.offset));
    if (!shared()) e_.subtract(rdx, begin());
    e_.vector({C::p66, C::m0F38, 1, 0x7C}, k512, 6, 0, rdx);
    test(otherwise_, [&](unsigned result, unsigned n) {
      e_.vector(op::add64, k512, 7, 6, kAddresses + n);
      e_.vector_immediate(op::compare_unsigned64, k512, result, 7, 5U, kGreater, lanes(n));
    });
    e_.move(rdx, shape_.width() - 1);
    e_.vector({C::p66, C::m0F38, 1, 0x7C}, k512, 6, 0, rdx);
    test(otherwise_, [&](unsigned result, unsigned n) {
      e_.vector({C::p66, C::m0F38, 1, 0x27}, k512, result, 6, kAddresses + n, lanes(n));
    });
    e_.load(rcx, delta());
  }

  void load_side_by_side() {
    if (shape_.count > 1) return load_interleaved();
    const Operand to = i_.operands[0];
    const auto from = [&](unsigned vector) { return MemoryOperand{rcx, static_cast<std::int32_t>(vector)}; };
    const bool sign = shape_.is_signed;
    if (shape_.wide == 2) {
      if (shape_.bytes == 2)
        e_.load_vector(0, from(0));
      else
        e_.vector({C::p66, C::m0F38, 0, sign ? std::uint8_t{0x20} : std::uint8_t{0x30}}, k512, 0, 0, from(0));
      return e_.keep16(0, Emitter::part(to, 0));
    }
    const auto extend = [&](std::uint8_t from_bytes, std::uint8_t from_halves, std::uint8_t from_words,
                            unsigned n) {
      const std::uint8_t opcode = shape_.bytes == 1   ? from_bytes
                                  : shape_.bytes == 2 ? from_halves
                                                      : from_words;
      const unsigned lanes_each = 64 / shape_.wide;
      if (shape_.bytes == shape_.wide) return e_.load_vector(0, from(64 * n));
      e_.vector({C::p66, C::m0F38, 0, static_cast<std::uint8_t>(sign ? opcode : opcode + 0x10)}, k512, 0, 0,
                from(n * lanes_each * shape_.bytes));
    };
    if (shape_.wide == 4)
      each32(e_, to, [&](unsigned n) { extend(0x21, 0x23, 0, n); });
    else
      each64(e_, to, [&](unsigned n) { extend(0x22, 0x24, 0x25, n); });
  }

  // Several values per lane; the values of consecutive lanes are consecutive in memory.
  void load_interleaved() {
    e_.move(rdx, reinterpret_cast<std::uint64_t>(kShortSteps[shape_.width() == 8 ? 0 : 1].distance.data()));
    e_.load_vector(6, {rdx});
    for (unsigned value = 0; value < shape_.count; ++value) {
      if (i_.operands[value] == kNoOperand) continue;
      const auto from = [&](unsigned lane) {
        return MemoryOperand{rcx, static_cast<std::int32_t>(lane * shape_.width() + value * shape_.bytes), 6};
      };
      const Operand to = i_.operands[value];
      if (shape_.bytes == 4) {
        each32(e_, to, [&](unsigned n) {
          e_.mask_ones(Emitter::kFree);
          e_.vector({C::p66, C::m0F38, 0, 0x90}, k512, 0, 0, from(16 * n), {.mask = Emitter::kFree});
        });
      } else {
        each64(e_, to, [&](unsigned n) {
          e_.mask_ones(Emitter::kFree);
          e_.vector({C::p66, C::m0F38, 1, 0x90}, k512, 0, 0, from(8 * n), {.mask = Emitter::kFree});
        });
      }
    }
  }

  // All lanes load from the same address.
  void load_equal() {
    for (unsigned value = 0; value < shape_.count; ++value) {
      const Operand to = i_.operands[value];
      if (to == kNoOperand) continue;
      const MemoryOperand from{rcx, static_cast<std::int32_t>(value * shape_.bytes)};
      if (shape_.bytes == 8 || (shape_.bytes == 4 && shape_.wide == 4)) {
        e_.vector(shape_.bytes == 8 ? op::broadcast64 : op::broadcast32, k512, 1, 0, from);
      } else {
        if (shape_.is_signed)
          e_.load_signed(rax, from, shape_.bytes);
        else if (shape_.bytes == 4)
          e_.load32(rax, from);
        else
          e_.load_unsigned(rax, from, shape_.bytes);
        const std::uint8_t wide = shape_.wide == 8 ? 1 : 0;
        const std::uint8_t opcode = shape_.wide == 2 ? 0x7B : 0x7C;
        e_.vector({C::p66, C::m0F38, wide, opcode}, k512, 1, 0, rax);
      }
      const auto same = [&](unsigned) { e_.vector(op::move64, k512, 0, 0, 1U); };
      if (shape_.wide == 8)
        each64(e_, to, same);
      else if (shape_.wide == 4)
        each32(e_, to, same);
      else
        e_.keep16(1, Emitter::part(to, 0));
    }
  }

  [[nodiscard]] MemoryOperand scattered(unsigned eight, unsigned value) const {
    return {rcx, offset() + static_cast<std::int32_t>(value * shape_.bytes),
            static_cast<int>(kAddresses + eight)};
  }
  // A copy of the mask for a gather or scatter, which clears its mask register.
  Masking mask_of(unsigned eight) {
    if (e_.masked())
      e_.mask_or(Emitter::kFree, Emitter::mask_of_eight(eight), Emitter::mask_of_eight(eight));
    else
      e_.mask_ones(Emitter::kFree);
    return {.mask = Emitter::kFree};
  }
  void gather() {
    const std::uint8_t wide = shape_.bytes == 8 ? 1 : 0;
    for (unsigned value = 0; value < shape_.count; ++value) {
      const Operand to = i_.operands[value];
      if (to == kNoOperand) continue;
      for (unsigned n = 0; n < 4; ++n) {
        const Masking masking = mask_of(n);
        e_.vector({C::p66, C::m0F38, wide, 0x91}, k512, 0, 0, scattered(n, value), masking);
        if (wide != 0)
          e_.keep64(0, Emitter::part(to, n), n);
        else
          e_.keep_eight32(0, Emitter::eighth(to, n), n);
      }
    }
  }

  void store_side_by_side() {
    const unsigned vectors = shape_.bytes / 2;  // of 64 bytes
    for (unsigned n = 0; n < vectors; ++n) {
      e_.load_vector(0, Emitter::part(i_.operands[0], n));
      e_.vector(op::store, k512, 0, 0, MemoryOperand{rcx, static_cast<std::int32_t>(64 * n)});
    }
  }
  // If lanes store to the same address, the last one's value remains.
  void scatter() {
    const std::uint8_t wide = shape_.bytes == 8 ? 1 : 0;
    for (unsigned value = 0; value < shape_.count; ++value) {
      const Operand from = i_.operands[value];
      for (unsigned n = 0; n < 4; ++n) {
        if (wide != 0)
          e_.load_vector(0, Emitter::part(from, n));
        else
          e_.load_vector(0, Emitter::eighth(from, n), k256);
        const Masking masking = mask_of(n);
        e_.vector({C::p66, C::m0F38, wide, 0xA1}, k512, 0, 0, scattered(n, value), masking);
      }
    }
  }

  static constexpr std::uint8_t kNotEqual = 4;
  static constexpr std::uint8_t kGreater = 6;

  Emitter& e_;
  const Instruction& i_;
  Shape shape_;
  Label& otherwise_;
};

}  // namespace

void add_memory_templates(Templates& all) {
  struct Kind {
    Type type;
    bool is_signed;
  };
  constexpr Kind kinds[] = {{Type::s8, true},  {Type::u8, false},  {Type::s16, true}, {Type::u16, false},
                            {Type::s32, true}, {Type::u32, false}, {Type::u64, false}};
  for (const Kind& kind : kinds) {
    const auto bytes = static_cast<unsigned>(size_of(kind.type));
    for (const unsigned wide : {2U, 4U, 8U}) {
      for (const unsigned count : {1U, 2U, 4U}) {
        if (wide < bytes || (count > 1 && (bytes < 4 || bytes != wide))) continue;
        const Move move{.memory = kind.type, .register_bytes = wide, .vector = count};
        const Shape shape{bytes, kind.is_signed, wide, count};
        if (const Handler handler = operations().load(move); handler != nullptr) {
          all[handler] = [shape](Emitter& e, const Instruction& i, Label& otherwise) {
            MemoryAccess(e, i, shape, otherwise).load();
          };
        }
        if (const Handler handler = operations().store(move); handler != nullptr) {
          all[handler] = [shape](Emitter& e, const Instruction& i, Label& otherwise) {
            MemoryAccess(e, i, shape, otherwise).store();
          };
        }
      }
    }
  }
}

const Templates& templates() {
  static const Templates all = [] {
    Templates made;
    add_integer_templates(made);
    add_real_templates(made);
    add_choice_templates(made);
    add_memory_templates(made);
    made.erase(nullptr);
    return made;
  }();
  return all;
}

}  // namespace warpmark::simulator::native
