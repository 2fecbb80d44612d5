// Every operation against the host's arithmetic, on random and extreme operands: one instruction a test, run
// by a full and a partial warp; and the two builds of the operations against each other.
#include "harness/simulator/engine/operations/operations.h"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/random.h"
#include "tests/simulator/operation_cases.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

// Random bits, small numbers and extremes; a NaN only as the quiet one that the host makes, too.
Bits random_operand(Random& random, int size, bool real) {
  const Bits choice = random.below(8);
  if (real) {
    constexpr std::array<double, 10> special{0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 1e30, -3e9, 255.75, 9.3e18};
    double value = 0;
    if (choice == 0)
      value = std::numeric_limits<double>::quiet_NaN();
    else if (choice == 1)
      value = std::numeric_limits<double>::infinity();
    else if (choice < 5)
      value = special[random.below(special.size())];
    else
      value = (static_cast<double>(random.next()) / 1.8446744073709552e19 - 0.5) *
              std::exp2(static_cast<double>(random.below(80)));
    return size == 4 ? bits_of(static_cast<float>(value)) : bits_of(value);
  }
  constexpr std::array<Bits, 8> special{
      0, 1, ~Bits{0}, Bits{1} << 15, Bits{1} << 31, Bits{1} << 63, 0x7FFF, 0x7FFFFFFF};
  Bits value = random.next();
  if (choice < 2)
    value = special[random.below(special.size())];
  else if (choice == 2)
    value = random.below(70);
  return size == 8 ? value : value & ((Bits{1} << (8 * size)) - 1);
}

bool is_nan(Bits bits, int size) {
  return size == 4 ? std::isnan(as<float>(bits)) : std::isnan(as<double>(bits));
}

class OperationTest : public testing::TestWithParam<Case> {};

TEST_P(OperationTest, agrees_with_the_host) {
  const Case& test = GetParam();
  const auto name = [&](int operand, int size) {
    const std::string prefix = size == 2 ? "%rs" : size == 4 ? "%r" : "%rd";
    return fmt::format("{}{}", prefix, (size == 4 ? 40 : size == 8 ? 20 : 1) + operand);
  };
  std::string body =
      "mul.wide.s32 %rd10, %r4, 32; add.s64 %rd10, %rd1, %rd10; mul.wide.s32 %rd11, %r4, 8; add.s64 %rd11, "
      "%rd2, %rd11;\n";
  std::string text = test.text;
  for (int operand = 0; operand < 4; ++operand) {
    const int size = test.sizes[static_cast<std::size_t>(operand)];
    if (size == 0) continue;
    if (operand > 0) {
      body +=
          fmt::format("ld.global.b{} {}, [%rd10+{}];\n", 8 * size, name(operand, size), 8 * (operand - 1));
    }
    const char letter = "DABC"[operand];
    for (std::size_t at = text.find(letter); at != std::string::npos; at = text.find(letter, at + 1)) {
      // Upper-case letters stand for operands only where no letter or digit is next to them.
      const bool alone = (at == 0 || std::isalnum(text[at - 1]) == 0) && std::isalnum(text[at + 1]) == 0;
      if (alone) text.replace(at, 1, name(operand, size));
    }
  }
  body += text + fmt::format("\nst.global.b{} [%rd11], {};\n", 8 * test.sizes[0], name(0, test.sizes[0]));

  constexpr std::size_t threads = 45;  // a full warp and a partial one
  constexpr std::size_t blocks = 20;
  Random random(std::hash<std::string>{}(test.text));
  std::vector<Bits> operands(4 * threads * blocks);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const int size = i % 4 == 3 ? 0 : test.sizes[i % 4 + 1];
    if (size != 0) operands[i] = random_operand(random, size, test.real);
  }
  SimulatedDevice device;
  device.load(kernel_text(body));
  const Address in = device.upload(operands);
  const Address out = device.upload(std::vector<Bits>(threads * blocks, 0));
  device.expect_completes({.grid = {blocks}, .block = {threads}}, {in, out});
  const auto results = device.download<Bits>(out, threads * blocks);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Bits* o = &operands[4 * i];
    const Bits expected = test.expected(o[0], o[1], o[2]);
    const int size = test.sizes[0];
    if (test.real && size >= 4 && is_nan(expected, size) && is_nan(results[i], size)) continue;
    ASSERT_EQ(results[i], expected) << test.text << fmt::format(" of {:#x}, {:#x}, {:#x}", o[0], o[1], o[2]);
  }
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = fmt::format("{}_", info.index);
  for (const char c : info.param.text.substr(0, info.param.text.find(' '))) name += c == '.' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, OperationTest, testing::ValuesIn(all_cases()), case_name);

struct Approximation {
  std::string opcode;
  float (*function)(float);
};
class ApproximationTest : public testing::TestWithParam<Approximation> {};

TEST_P(ApproximationTest, is_close_to_the_function) {
  SimulatedDevice device;
  device.load(kernel_text("ld.global.f32 %f1, [%rd3]; " + GetParam().opcode +
                          " %f2, %f1; st.global.f32 [%rd4], %f2;"));
  std::vector<float> values;
  for (int i = 1; i <= 64; ++i) values.push_back(static_cast<float>(i) * 0.37F);
  const Address in = device.upload(values);
  const Address out = device.upload(std::vector<float>(64));
  device.expect_completes({.grid = {1}, .block = {64}}, {in, out});
  const auto results = device.download<float>(out, 64);
  for (std::size_t i = 0; i < 64; ++i) {
    const float expected = GetParam().function(values[i]);
    EXPECT_NEAR(results[i], expected, std::fabs(expected) * 1e-6F) << values[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ApproximationTest,
    testing::Values(Approximation{"ex2.approx.f32", std::exp2}, Approximation{"lg2.approx.f32", std::log2},
                    Approximation{"sin.approx.f32", std::sin}, Approximation{"cos.approx.f32", std::cos},
                    Approximation{"sqrt.approx.f32", std::sqrt},
                    Approximation{"rcp.approx.f32", [](float x) { return 1 / x; }},
                    Approximation{"rsqrt.approx.f32", [](float x) { return 1 / std::sqrt(x); }}),
    [](const auto& test) { return test.param.opcode.substr(0, test.param.opcode.find('.')); });

}  // namespace
}  // namespace warpmark::simulator::test
