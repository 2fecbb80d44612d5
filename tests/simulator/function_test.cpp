// Every function of CUDA's mathematical library and every arithmetic intrinsic, from .cu text at both levels,
// against the host's arithmetic on random and extreme operands. One program for each table: its kernel
// computes all expressions.
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/random.h"
#include "tests/simulator/front_end_fixture.h"
#include "tests/simulator/function_cases.h"

namespace warpmark::simulator {
namespace {

using test::FunctionCase;
using test::Operands;
using test::Value;

constexpr std::size_t kThreads = 256;

// By hand, because these answer by way of pointers.
constexpr const char* kHelpers = R"(
__device__ float norm_of(float x, float y) { float both[2] = {x, y}; return normf(2, both); }
__device__ double fraction_and_exponent(double a) { int e; const double f = frexp(a, &e); return ldexp(f, e); }
__device__ double whole_and_rest(double a) { double whole; const double rest = modf(a, &whole); return whole + rest; }
__device__ float sine_and_cosine(float x) { float s, c; sincosf(x, &s, &c); return s + 2 * c; }
__device__ double quotient_of(double a, double b) {
  int quotient; const double rest = remquo(a, b, &quotient); return isnan(rest) ? rest : rest + quotient;
}
__device__ unsigned long long bits_of(float r) { return (unsigned)__float_as_int(r); }
__device__ unsigned long long bits_of(double r) { return (unsigned long long)__double_as_longlong(r); }
template <class T> __device__ unsigned long long bits_of(T r) { return (unsigned long long)r; }
)";

std::string program_of(const std::vector<FunctionCase>& cases) {
  std::string text = "#include <cmath>\n";
  text += test::kOperandsText;
  text += kHelpers;
  text += R"(
__global__ void k(const Operands* operands, unsigned long long* results) {
  const auto [x, y, z, a, b, c, i, j, k, u, v, w, l, m, p, q] = operands[threadIdx.x];
  results += threadIdx.x;
)";
  for (std::size_t n = 0; n < cases.size(); ++n)
    text += fmt::format("  results[{}] = bits_of({});\n", n * kThreads, cases[n].expression);
  return text + R"(}
extern "C" void run(const void* operands, void* results) {
  k<<<1, 256>>>((const Operands*)operands, (unsigned long long*)results);
})";
}

double random_real(Random& random, double special_limit) {
  constexpr std::array<double, 8> special{0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 255.75, -3e9};
  switch (random.below(10)) {
    case 0:
      return std::numeric_limits<double>::quiet_NaN();
    case 1:
      return random.below(2) == 0 ? special_limit : -special_limit;
    case 2:
    case 3:
      return special[random.below(special.size())];
    default: {
      const double unit = static_cast<double>(random.next()) / 9.2233720368547758e18 - 1;
      return unit * std::exp2(static_cast<double>(random.below(12)) - 3);
    }
  }
}
std::uint64_t random_whole(Random& random) {
  constexpr std::array<std::uint64_t, 6> special{0, 1, ~std::uint64_t{0}, 0x7FFFFFFF, 0x80000000, 31};
  const auto choice = random.below(6);
  if (choice == 0) return special[random.below(special.size())];
  return choice == 1 ? random.below(70) : random.next();
}

std::vector<Operands> random_operands() {
  Random random(20251121);
  std::vector<Operands> all(kThreads);
  const auto real = [&] { return random_real(random, std::numeric_limits<double>::infinity()); };
  const auto whole = [&](auto& to) {
    to = static_cast<std::remove_reference_t<decltype(to)>>(random_whole(random));
  };
  for (Operands& o : all) {
    for (float* f : {&o.x, &o.y, &o.z}) *f = static_cast<float>(real());
    for (double* f : {&o.a, &o.b, &o.c}) *f = real();
    for (int* n : {&o.i, &o.j, &o.k}) whole(*n);
    for (unsigned* n : {&o.u, &o.v, &o.w}) whole(*n);
    for (long long* n : {&o.l, &o.m}) whole(*n);
    for (unsigned long long* n : {&o.p, &o.q}) whole(*n);
  }
  return all;
}

double real_of(Value value) {
  return value.kind == Value::Kind::f32 ? std::bit_cast<float>(static_cast<std::uint32_t>(value.bits))
                                        : std::bit_cast<double>(value.bits);
}

bool agree(Value expected, std::uint64_t bits, double tolerance) {
  if (expected.bits == bits) return true;
  if (expected.kind == Value::Kind::integer) return false;
  const double e = real_of(expected);
  const double r = real_of({expected.kind, bits});
  if (std::isnan(e) || std::isnan(r)) return std::isnan(e) && std::isnan(r);
  return tolerance > 0 && std::fabs(r - e) <= tolerance * std::max(std::fabs(e), tolerance);
}

class Functions : public FrontEnd {
 protected:
  void expect_agreement(const std::vector<FunctionCase>& cases) {
    auto* run = build<void(const void*, void*)>(program_of(cases), "run");
    ASSERT_NE(run, nullptr);
    const auto operands = random_operands();
    const Operands* in = upload(operands);
    auto* out = upload(std::vector<std::uint64_t>(cases.size() * kThreads));
    for (const Level level : {Level::checking, Level::counting}) {
      configure(level);
      run(in, out);
      ASSERT_EQ(cudaGetLastError(), cudaSuccess) << simulator_control().drain();
      const auto results = download(out, cases.size() * kThreads);
      for (std::size_t n = 0; n < cases.size(); ++n)
        compare(cases[n], operands, &results[n * kThreads], level);
    }
  }

 private:
  static void compare(const FunctionCase& test, const std::vector<Operands>& operands,
                      const std::uint64_t* results, Level level) {
    for (std::size_t t = 0; t < kThreads; ++t) {
      const Value expected = test.expected(operands[t]);
      if (agree(expected, results[t], test.tolerance)) continue;
      const Operands& o = operands[t];
      ADD_FAILURE()
          << test.expression << (level == Level::checking ? " at -O0" : " at -O2")
          << fmt::format(
                 ": {:#x} is not {:#x} (as reals {}, {}) of x={} y={} z={} a={} b={} c={} i={} j={} "
                 "k={} u={} v={} w={} l={} m={} p={} q={}",
                 results[t], expected.bits, real_of({expected.kind, results[t]}), real_of(expected), o.x, o.y,
                 o.z, o.a, o.b, o.c, o.i, o.j, o.k, o.u, o.v, o.w, o.l, o.m, o.p, o.q);
      return;  // one operand a function is enough
    }
  }
};

TEST_F(Functions, of_the_mathematical_library_agree_with_the_host) {
  expect_agreement(test::mathematical_cases());
}

TEST_F(Functions, that_are_intrinsics_agree_with_the_host) {
  expect_agreement(test::intrinsic_cases());
}

}  // namespace
}  // namespace warpmark::simulator
