// Native code does what the interpreter does: each operation bit by bit, on all lanes and on some; and whole
// kernels of random accesses, by what they leave in memory and by how many instructions they took.
#include "harness/simulator/engine/native/native_code.h"

#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/engine/machine/random.h"
#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"
#include "tests/simulator/random_kernel.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

using ptx::Type;

constexpr std::size_t kSlotBytes = 256;

struct Registers {
  alignas(64) std::array<std::byte, 6 * kSlotBytes> bytes;
};

class NativeCodeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!runs_here(Variant::avx512)) GTEST_SKIP() << "native code is made for machines with AVX-512 alone";
  }

  // The instruction by its handler and as native code, on the same registers.
  void compare(const std::string& name, const Operation& operation, std::uint8_t detail = 0,
               bool real = false) {
    if (operation.handler == nullptr || !native::templates().contains(operation.handler)) return;
    ++compared;
    Instruction instruction{.handler = operation.handler, .detail = detail};
    instruction.operands.fill(kNoOperand);
    for (std::size_t i = 0; i < operation.count; ++i)
      instruction.operands[i] = static_cast<Operand>(i * kSlotBytes);
    Program program;
    program.code = {instruction, {.handler = control::exit_lanes}};
    const auto code = native::NativeCode::of(program);
    ASSERT_NE(code, nullptr);
    Random random(std::hash<std::string>{}(name));
    for (const std::uint32_t mask :
         {0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU, 0x0000FFFFU, 0x80000001U, 0x5A5A5A5AU, 0x00200000U}) {
      Registers before;
      for (std::size_t i = 0; i < before.bytes.size(); i += 8) {
        const std::uint64_t value = value_of(random);
        std::memcpy(&before.bytes[i], &value, 8);
      }
      Registers interpreted = before;
      Context by_handler;
      by_handler.bases[kRegisters] = interpreted.bytes.data();
      by_handler.mask = mask;
      operation.handler(by_handler, instruction);
      Registers native = before;
      Context context;
      context.bases[kRegisters] = native.bytes.data();
      context.mask = mask;
      EXPECT_EQ(code->run(context, kNowhere), 2U);
      EXPECT_EQ(context.event, ControlEvent::exit);
      if (real) forget_numbers_of_nan(native, interpreted, operation.sizes[0]);
      EXPECT_EQ(native.bytes, interpreted.bytes) << name << fmt::format(" with lanes {:#x}", mask);
    }
  }
  // Of two NaN, either one's bits may come out: a result that is NaN in both counts as the same.
  static void forget_numbers_of_nan(Registers& one, Registers& other, std::size_t size) {
    const auto forget = [&]<class T>(T) {
      for (std::size_t at = 0; at < kLanes * sizeof(T); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, &one.bytes[at], sizeof a);
        std::memcpy(&b, &other.bytes[at], sizeof b);
        if (a == a || b == b) continue;
        std::memset(&one.bytes[at], 0, sizeof a);
        std::memset(&other.bytes[at], 0, sizeof a);
      }
    };
    size == 4 ? forget(float{}) : forget(double{});
  }
  // Of any use as one number of 64 bits and as two of 32: also extremes, small ones and NaN.
  static std::uint64_t value_of(Random& random) {
    constexpr std::array<std::uint64_t, 6> special{
        0, ~std::uint64_t{0}, 0x8000000000000000, 0x7FF8000000000001, 0x7FC000017FC00002, 0xFFC00003FF800000};
    switch (random.below(4)) {
      case 0:
        return random.below(70) | random.below(70) << 32;
      case 1:
        return special[random.below(special.size())];
      default:
        return random.next();
    }
  }
  int compared = 0;
};

constexpr std::array kTypes{Type::s16, Type::u16, Type::s32, Type::u32, Type::s64, Type::u64,
                            Type::b16, Type::b32, Type::b64, Type::f32, Type::f64, Type::pred};

TEST_F(NativeCodeTest, of_each_operation_gives_its_bits) {
  const Operations& known = operations();
  for (const char* name :
       {"mov", "add",  "sub", "mul.lo", "mul.hi", "mul.wide", "mad.lo", "mad.hi",      "mad.wide",
        "min", "max",  "neg", "abs",    "and",    "or",       "xor",    "not",         "shl",
        "shr", "selp", "mul", "div.rn", "fma.rn", "sqrt.rn",  "rcp.rn", "rsqrt.approx"}) {
    for (const Type type : kTypes) {
      const std::array<Type, 1> types{type};
      for (const auto find : {known.moves, known.integer, known.bits, known.real}) {
        const Operation found = find({name, types});
        for (const std::uint8_t detail : {0, 2, 4, 6})
          compare(fmt::format("{} of type {} with {}", name, static_cast<int>(type), detail), found, detail,
                  find == known.real);
      }
    }
  }
  EXPECT_GT(compared, 300);
}

TEST_F(NativeCodeTest, of_each_comparison_gives_its_bits) {
  for (const char* relation :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
    for (const Type type : kTypes) {
      const std::array<Type, 1> types{type};
      const std::string name = fmt::format("setp.{}", relation);
      Operation found = operations().compare({name, types});
      if (found.handler == nullptr) continue;
      compare(name, found);
      found.count = 6;  // with the third predicate and a second result; the fifth operand is no one's
      for (const std::uint8_t how : {kCombineAnd, kCombineOr, kCombineXor}) {
        compare(fmt::format("{} with {}", name, how), found, how);
        compare(fmt::format("{} with the opposite and {}", name, how), found,
                static_cast<std::uint8_t>(how | kCombineNegated));
      }
    }
  }
  EXPECT_GT(compared, 350);
}

TEST_F(NativeCodeTest, of_each_conversion_gives_its_bits) {
  for (const char* name : {"cvt", "cvt.rn"}) {
    for (const Type to : kTypes) {
      for (const Type from : kTypes) {
        const std::array<Type, 2> types{to, from};
        compare(fmt::format("{} to {} from {}", name, static_cast<int>(to), static_cast<int>(from)),
                operations().convert({name, types}, size_of(to), size_of(from)));
      }
    }
  }
  EXPECT_GT(compared, 14);
}

// What a kernel leaves after two launches.
struct Left {
  std::vector<std::uint32_t> memory;
  std::vector<std::uint64_t> work;
  std::string messages;
  bool operator==(const Left&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Left& left) {
  out << left.messages;
  for (const std::uint32_t word : left.memory) out << fmt::format("{:x} ", word);
  return out << fmt::format("\nin {} instructions", fmt::join(left.work, ", "));
}

Left left_by(const RandomKernel& kernel, const std::string& text, LaunchOptions options) {
  SimulatedDevice device;
  device.load(text);
  const Address in = device.upload(counting(RandomKernel::kArrayBytes / 4));
  const Address out = device.upload(counting(RandomKernel::kArrayBytes / 4));
  Left left;
  for (int launch = 0; launch < 2; ++launch) {
    const Outcome outcome =
        device.launch({.grid = {kernel.blocks}, .block = {kernel.threads}}, {in, out}, options);
    left.work.push_back(outcome.work_done);
    for (const Finding& finding : outcome.findings) left.messages += finding.message + "\n";
  }
  for (const Address array : {in, out}) {
    const auto words = device.download<std::uint32_t>(array, RandomKernel::kArrayBytes / 4);
    left.memory.insert(left.memory.end(), words.begin(), words.end());
  }
  return left;
}

// Loads of a number into a wider register, which all lanes read at one address and each at its own.
TEST_F(NativeCodeTest, of_a_load_into_a_wider_register_gives_its_bits) {
  for (const char* type : {"s8", "u8", "s16", "u16", "s32", "u32"}) {
    for (const char* from : {"%rd1+4", "%rd3"}) {
      const std::string text =
          kernel_text(fmt::format("ld.global.{} %rd20, [{}];\nshl.b64 %rd6, %rd5, 1;\nadd.s64 %rd6, %rd2, "
                                  "%rd6;\nst.global.u64 [%rd6], %rd20;\n",
                                  type, from));
      const auto stored = [&](bool native) {
        SimulatedDevice device;
        device.load(text);
        std::vector<std::int32_t> values(32);
        for (int i = 0; i < 32; ++i) values[i] = i * 0x01234567 - 0x40000000;
        const Address in = device.upload(values);
        const Address out = device.upload(std::vector<std::uint64_t>(32));
        for (int launch = 0; launch < 2; ++launch)
          device.launch({.grid = {1}, .block = {32}}, {in, out}, {.host_threads = 1, .native = native});
        return device.download<std::uint64_t>(out, 32);
      };
      EXPECT_EQ(stored(true), stored(false)) << type << " from " << from;
    }
  }
}

class NativeKernels : public testing::TestWithParam<std::uint64_t> {};

TEST_P(NativeKernels, leave_what_interpreted_ones_leave) {
  if (!runs_here(Variant::avx512)) GTEST_SKIP() << "native code is made for machines with AVX-512 alone";
  for (std::uint64_t n = 0; n < 250 && !HasFailure(); ++n) {
    const std::uint64_t seed = GetParam() * 1'000'000 + n;
    const RandomKernel kernel(seed, {});
    // What was loaded is stored at the end, so that it is compared as well.
    const std::string text = kernel_text(kernel.body +
                                             "st.global.u32 [%rd4], %r32;\nst.global.u32 [%rd3], %r33;\n"
                                             "cvt.u32.u16 %r50, %rs3;\nst.global.u32 [%rd4+4], %r50;\n"
                                             "st.global.v2.u64 [%rd2], {%rd26, %rd27};\n",
                                         kernel.declarations);
    SCOPED_TRACE(fmt::format("seed {}, {} blocks of {} threads\n{}", seed, kernel.blocks, kernel.threads,
                             kernel.body));
    EXPECT_EQ(left_by(kernel, text, {.schedule = seed % 3, .host_threads = 1}),
              left_by(kernel, text, {.schedule = seed % 3, .host_threads = 1, .native = false}));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, NativeKernels, testing::Range<std::uint64_t>(0, 4));

}  // namespace
}  // namespace warpmark::simulator::test
