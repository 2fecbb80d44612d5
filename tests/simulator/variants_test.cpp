// The operations are compiled several times (operations.h): all give the same bits, for all lanes that take
// part and no others.
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/simulator/engine/machine/random.h"
#include "harness/simulator/engine/operations/context.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator {
namespace {

using ptx::Type;

constexpr std::size_t kSlotBytes = 256;

struct Registers {
  alignas(64) std::array<std::byte, 6 * kSlotBytes> bytes;
};

Registers run_on(const Operation& operation, Registers registers, std::uint32_t mask) {
  Context context;
  context.bases[kRegisters] = registers.bytes.data();
  context.mask = mask;
  Instruction instruction;
  instruction.operands.fill(kNoOperand);
  for (std::size_t i = 0; i < operation.count; ++i)
    instruction.operands[i] = static_cast<Operand>(i * kSlotBytes);
  operation.handler(context, instruction);
  return registers;
}

// Runs both and compares every byte: what lanes got, and that the others were left alone.
void expect_equal(const Operation& one, const Operation& other, const std::string& name) {
  Random random(std::hash<std::string>{}(name));
  for (const std::uint32_t mask : {0xFFFFFFFFU, 0x0000FFFFU, 0x80000001U, 0x5A5A5A5AU, 0x00200000U}) {
    Registers registers;
    for (std::size_t i = 0; i < registers.bytes.size(); i += 8) {
      const std::uint64_t value = random.below(4) == 0 ? random.below(64) : random.next();
      std::memcpy(&registers.bytes[i], &value, 8);
    }
    const Registers first = run_on(one, registers, mask);
    const Registers second = run_on(other, registers, mask);
    EXPECT_EQ(first.bytes, second.bytes) << name << fmt::format(" with lanes {:#x}", mask);
    const std::size_t size = one.sizes[0];
    for (unsigned lane = 0; lane < kLanes && size > 0; ++lane) {
      if ((mask >> lane & 1) != 0) continue;
      EXPECT_EQ(std::memcmp(&first.bytes[lane * size], &registers.bytes[lane * size], size), 0)
          << name << " wrote to idle lane " << lane;
    }
  }
}

class VariantsTest : public testing::Test {
 protected:
  // Those that this machine can run.
  static std::vector<const Operations*> others() {
    std::vector<const Operations*> tables;
#if defined(WARPMARK_HAS_AVX2)
    if (runs_here(Variant::avx2)) tables.push_back(&avx2::table());
#endif
#if defined(WARPMARK_HAS_AVX512)
    if (runs_here(Variant::avx512)) tables.push_back(&avx512::table());
#endif
    return tables;
  }
  void SetUp() override {
    if (others().empty()) GTEST_SKIP() << "not run: this build has no operations for AVX2 or AVX-512";
  }
  int compared = 0;

  template <class Find>
  void compare(const std::string& name, Find find) {
    const Operation one = find(baseline::table());
    for (const Operations* table : others()) {
      const Operation other = find(*table);
      ASSERT_EQ(one.handler == nullptr, other.handler == nullptr) << name;
      if (one.handler == nullptr) return;
      expect_equal(one, other, name);
    }
    ++compared;
  }
};

constexpr std::array kIntegerTypes{Type::s16, Type::u16, Type::s32, Type::u32, Type::s64,
                                   Type::u64, Type::b16, Type::b32, Type::b64};
constexpr std::array kRealTypes{Type::f32, Type::f64};

TEST_F(VariantsTest, of_integers_agree) {
  for (const char* name :
       {"mov", "add", "sub",  "mul.lo",     "mul.hi", "mul.wide", "mad.lo", "mad.hi", "mad.wide",
        "sad", "div", "rem",  "min",        "max",    "neg",      "abs",    "and",    "or",
        "xor", "not", "cnot", "shl",        "shr",    "popc",     "clz",    "bfind",  "brev",
        "bfe", "bfi", "prmt", "shf.l.wrap", "lop3",   "selp"}) {
    for (const Type type : kIntegerTypes) {
      const std::array<Type, 1> types{type};
      compare(fmt::format("{} of type {}", name, static_cast<int>(type)), [&](const Operations& table) {
        for (const auto find : {table.moves, table.integer, table.bits}) {
          if (const Operation found = find({name, types}); found.handler != nullptr) return found;
        }
        return Operation{};
      });
    }
  }
  EXPECT_GT(compared, 100);
}

TEST_F(VariantsTest, of_comparisons_agree) {
  for (const char* relation :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "geu", "num", "nan"}) {
    for (const Type type :
         {Type::s16, Type::u16, Type::s32, Type::u32, Type::s64, Type::u64, Type::f32, Type::f64}) {
      const std::array<Type, 1> types{type};
      const std::string name = fmt::format("setp.{}", relation);
      compare(name, [&](const Operations& table) { return table.compare({name, types}); });
    }
  }
  EXPECT_GT(compared, 50);
}

TEST_F(VariantsTest, of_floating_point_agree) {
  for (const char* name :
       {"add", "sub", "mul", "div.rn", "fma.rn", "sqrt.rn", "rcp.rn", "neg", "abs", "min", "max"}) {
    for (const Type type : kRealTypes) {
      const std::array<Type, 1> types{type};
      compare(name, [&](const Operations& table) { return table.real({name, types}); });
    }
  }
  EXPECT_EQ(compared, 22);
}

TEST_F(VariantsTest, of_conversions_agree) {
  for (const char* name : {"cvt", "cvt.rn", "cvt.rz", "cvt.rzi", "cvt.rni", "cvt.rmi", "cvt.rpi"}) {
    for (const Type to : {Type::s32, Type::u32, Type::s64, Type::u64, Type::f32, Type::f64}) {
      for (const Type from : {Type::s16, Type::s32, Type::u32, Type::s64, Type::u64, Type::f32, Type::f64}) {
        const std::array<Type, 2> types{to, from};
        compare(fmt::format("{} {} {}", name, static_cast<int>(to), static_cast<int>(from)),
                [&](const Operations& table) {
                  return table.convert({name, types}, size_of(to), size_of(from));
                });
      }
    }
  }
  EXPECT_GT(compared, 80);
}

}  // namespace
}  // namespace warpmark::simulator
