// Lanes that part and meet again, loops of different length, functions.
#include "harness/simulator/control_flow.h"

#include <gmock/gmock.h>

#include "harness/simulator/control_operations.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

// Runs a kernel in one block of `threads` and returns what each thread wrote.
std::vector<std::int32_t> results_of(const std::string& body, std::uint32_t threads = 64,
                                     const std::string& declarations = {}) {
  SimulatedDevice device;
  device.load(kernel_text(body, declarations));
  const Address in = device.upload(counting(threads));
  const Address out = device.upload(std::vector<std::int32_t>(threads, -1));
  device.expect_completes({.grid = {1}, .block = {threads}}, {in, out});
  return device.download<std::int32_t>(out, threads);
}

template <class F>
std::vector<std::int32_t> expected(F f, int threads = 64) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) values[static_cast<std::size_t>(i)] = f(i);
  return values;
}

TEST(Divergence, NestedBranchesMeetAgain) {
  // The votes at the joins see all lanes only if these have met.
  const auto results = results_of(R"(
  and.b32 %r10, %r1, 1;
  setp.eq.s32 %p1, %r10, 0;
  mov.u32 %r20, 0;
  @%p1 bra EVEN;
  and.b32 %r11, %r1, 2;
  setp.eq.s32 %p2, %r11, 0;
  @%p2 bra ODD_LOW;
  mov.u32 %r20, 300;
  bra.uni ODD_JOIN;
ODD_LOW:
  mov.u32 %r20, 100;
ODD_JOIN:
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  add.s32 %r20, %r20, %r13;
  bra.uni JOIN;
EVEN:
  mov.u32 %r20, 1000;
JOIN:
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  add.s32 %r20, %r20, %r13;
  st.global.u32 [%rd4], %r20;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                if (t % 2 == 0) return 1000 + 32;
                return ((t & 2) != 0 ? 300 : 100) + 16 + 32;
              })));
}

TEST(Divergence, LoopsRunAsOftenAsEachLaneWants) {
  const auto results = results_of(R"(
  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
LOOP:
  setp.ge.s32 %p1, %r10, %r1;
  @%p1 bra DONE;
  add.s32 %r11, %r11, %r10;
  add.s32 %r10, %r10, 1;
  bra.uni LOOP;
DONE:
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  mad.lo.s32 %r11, %r11, 100, %r13;
  st.global.u32 [%rd4], %r11;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) { return t * (t - 1) / 2 * 100 + 32; })));
}

TEST(Divergence, BreakAndContinueKeepTheirMeaning) {
  // for (i = 0; i < 40; ++i) { if (i % 3 == t % 3) continue; if (i > t) break; sum += i; }
  const auto results = results_of(R"(
  rem.s32 %r15, %r1, 3;
  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
HEAD:
  setp.ge.s32 %p1, %r10, 40;
  @%p1 bra DONE;
  rem.s32 %r12, %r10, 3;
  setp.eq.s32 %p2, %r12, %r15;
  @%p2 bra NEXT;
  setp.gt.s32 %p3, %r10, %r1;
  @%p3 bra DONE;
  add.s32 %r11, %r11, %r10;
NEXT:
  add.s32 %r10, %r10, 1;
  bra.uni HEAD;
DONE:
  st.global.u32 [%rd4], %r11;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                int sum = 0;
                for (int i = 0; i < 40; ++i) {
                  if (i % 3 == t % 3) continue;
                  if (i > t) break;
                  sum += i;
                }
                return sum;
              })));
}

TEST(Divergence, NestedLoopsWithLaneDependentCounts) {
  const auto results = results_of(R"(
  mov.u32 %r10, 0;
  mov.u32 %r20, 0;
OUTER:
  mov.u32 %r11, 0;
INNER:
  add.s32 %r20, %r20, 1;
  add.s32 %r11, %r11, 1;
  setp.le.s32 %p1, %r11, %r10;
  @%p1 bra INNER;
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p2, %r10, %r1;
  @%p2 bra OUTER;
  st.global.u32 [%rd4], %r20;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                const int n = std::max(t, 1);
                return n * (n + 1) / 2;
              })));
}

TEST(Divergence, ASwitchTakesEachLaneToItsCase) {
  const auto results = results_of(R"(
  and.b32 %r10, %r1, 3;
  setp.eq.s32 %p1, %r10, 0;
  @%p1 bra CASE0;
  setp.eq.s32 %p2, %r10, 1;
  @%p2 bra CASE1;
  setp.eq.s32 %p3, %r10, 2;
  @%p3 bra CASE2;
  mov.u32 %r11, 33;
  bra.uni END;
CASE0:
  mov.u32 %r11, 10;
CASE1:
  mov.u32 %r12, 5;
  add.s32 %r11, %r1, %r12;
  bra.uni END;
CASE2:
  mov.u32 %r11, 22;
END:
  st.global.u32 [%rd4], %r11;)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) {
                if (t % 4 < 2) return t + 5;
                return t % 4 == 2 ? 22 : 33;
              })));
}

TEST(Divergence, LanesThatReturnEarlyAreGone) {
  const auto results = results_of(R"(
  setp.lt.s32 %p1, %r1, 20;
  @%p1 bra OUT;
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  st.global.u32 [%rd4], %r13;
OUT:)",
                                  32);
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) { return t < 20 ? -1 : 12; }, 32)));
}

TEST(Divergence, LanesOfOneWarpCanWaitForEachOther) {
  // Lane 0 spins on a flag in shared memory that lane 5 sets in the other arm.
  const auto results = results_of(R"(
  .shared .align 4 .u32 flag;
  mov.u64 %rd20, flag;
  mov.u32 %r10, 0;
  st.volatile.shared.u32 [%rd20], %r10;
  bar.warp.sync -1;
  setp.eq.s32 %p1, %r1, 0;
  @%p1 bra WAIT;
  mov.u32 %r11, 17;
  setp.eq.s32 %p2, %r1, 5;
  @%p2 st.volatile.shared.u32 [%rd20], %r11;
  bra.uni JOIN;
WAIT:
  ld.volatile.shared.u32 %r11, [%rd20];
  setp.eq.s32 %p3, %r11, 0;
  @%p3 bra WAIT;
JOIN:
  st.global.u32 [%rd4], %r11;)",
                                  32);
  EXPECT_EQ(results, std::vector<std::int32_t>(32, 17));
}

TEST(Divergence, WarpsOfOneBlockCanWaitForEachOther) {
  const auto results = results_of(R"(
  .shared .align 4 .u32 flag;
  mov.u64 %rd20, flag;
  mov.u32 %r10, 0;
  st.shared.u32 [%rd20], %r10;
  bar.sync 0;
  setp.ge.s32 %p1, %r1, 32;
  @%p1 bra WRITE;
WAIT:
  ld.volatile.shared.u32 %r11, [%rd20];
  setp.eq.s32 %p3, %r11, 0;
  @%p3 bra WAIT;
  bra.uni JOIN;
WRITE:
  mov.u32 %r11, 9;
  st.volatile.shared.u32 [%rd20], %r11;
JOIN:
  st.global.u32 [%rd4], %r11;)");
  EXPECT_EQ(results, std::vector<std::int32_t>(64, 9));
}

constexpr const char* kFactorial = R"(
.func (.param .b32 func_retval0) fact(.param .b32 fact_param_0)
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  ld.param.u32 %r1, [fact_param_0];
  setp.gt.s32 %p1, %r1, 1;
  @%p1 bra MORE;
  st.param.b32 [func_retval0+0], 1;
  ret;
MORE:
  add.s32 %r2, %r1, -1;
  { // callseq 0, 0
  .reg .b32 temp_param_reg;
  .param .b32 param0;
  st.param.b32 [param0+0], %r2;
  .param .b32 retval0;
  call.uni (retval0), fact, (param0);
  ld.param.b32 %r3, [retval0+0];
  }
  mul.lo.s32 %r4, %r3, %r1;
  st.param.b32 [func_retval0+0], %r4;
  ret;
}
)";
constexpr const char* kCallFactorial = R"(
  rem.s32 %r10, %r1, 10;
  { .param .b32 param0; st.param.b32 [param0+0], %r10; .param .b32 retval0;
  call.uni (retval0), fact, (param0);
  ld.param.b32 %r11, [retval0+0]; }
  st.global.u32 [%rd4], %r11;)";

TEST(Functions, RecursionOfDifferentDepthByLane) {
  EXPECT_THAT(results_of(kCallFactorial, 64, kFactorial), ElementsAreArray(expected([](int t) {
                int product = 1;
                for (int i = 2; i <= t % 10; ++i) product *= i;
                return product;
              })));
}

TEST(Functions, TakeAndReturnStructures) {
  // struct P { int a; double b; }; P swap(P p, short s) { return {(int)p.b + s, p.a}; }
  const auto results = results_of(R"(
  cvt.rn.f64.s32 %fd1, %r1;
  mov.u16 %rs1, 1000;
  { .param .align 8 .b8 param0[16]; st.param.b32 [param0+0], 77; st.param.f64 [param0+8], %fd1;
    .param .b16 param1; st.param.b16 [param1+0], %rs1;
    .param .align 8 .b8 retval0[16];
  call.uni (retval0), swap, (param0, param1);
  ld.param.b32 %r11, [retval0+0]; ld.param.f64 %fd2, [retval0+8]; }
  cvt.rzi.s32.f64 %r12, %fd2;
  mad.lo.s32 %r13, %r12, 10000, %r11;
  st.global.u32 [%rd4], %r13;)",
                                  40, R"(
.func (.param .align 8 .b8 func_retval0[16]) swap(.param .align 8 .b8 swap_param_0[16], .param .b16 swap_param_1)
{
  .reg .b16 %rs<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<3>;
  .reg .f64 %fd<3>;
  mov.b64 %rd1, swap_param_0;
  ld.param.f64 %fd1, [%rd1+8];
  ld.param.u32 %r1, [swap_param_0];
  ld.param.s16 %r4, [swap_param_1];
  cvt.rzi.s32.f64 %r2, %fd1;
  add.s32 %r3, %r2, %r4;
  cvt.rn.f64.s32 %fd2, %r1;
  st.param.b32 [func_retval0+0], %r3;
  st.param.f64 [func_retval0+8], %fd2;
  ret;
}
)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) { return 770000 + t + 1000; }, 40)));
}

TEST(Functions, ArePickedByPointerLaneByLane) {
  const std::string functions = R"(
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{ .reg .b32 %r<9>; ld.param.u32 %r1, [twice_param_0]; add.s32 %r2, %r1, %r1; st.param.b32 [func_retval0+0], %r2; ret; }
.func (.param .b32 func_retval0) minus(.param .b32 minus_param_0)
{ .reg .b32 %r<9>; ld.param.u32 %r1, [minus_param_0]; neg.s32 %r2, %r1; st.param.b32 [func_retval0+0], %r2; ret; }
)";
  const auto results = results_of(R"(
  mov.u64 %rd20, twice;
  mov.u64 %rd21, minus;
  and.b32 %r10, %r1, 1;
  setp.eq.s32 %p1, %r10, 0;
  selp.b64 %rd22, %rd20, %rd21, %p1;
  { .param .b32 param0; st.param.b32 [param0+0], %r1; .param .b32 retval0;
  prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
  call (retval0), %rd22, (param0), prototype_0;
  ld.param.b32 %r11, [retval0+0]; }
  activemask.b32 %r12;
  popc.b32 %r13, %r12;
  mad.lo.s32 %r11, %r11, 100, %r13;
  st.global.u32 [%rd4], %r11;)",
                                  64, functions);
  EXPECT_THAT(results,
              ElementsAreArray(expected([](int t) { return (t % 2 == 0 ? 2 * t : -t) * 100 + 32; })));
}

TEST(Functions, AreFoundThroughTablesOfVirtualFunctions) {
  const auto results = results_of(R"(
  and.b32 %r10, %r1, 1;
  mul.wide.s32 %rd20, %r10, 8;
  mov.u64 %rd21, vtable;
  add.s64 %rd22, %rd21, %rd20;
  ld.global.u64 %rd23, [%rd22+16];
  { .param .b32 retval0;
  prototype_0 : .callprototype (.param .b32 _) _ ();
  call (retval0), %rd23, (), prototype_0;
  ld.param.b32 %r11, [retval0+0]; }
  st.global.u32 [%rd4], %r11;)",
                                  40, R"(
.func (.param .b32 func_retval0) one() { st.param.b32 [func_retval0+0], 1; ret; }
.func (.param .b32 func_retval0) two() { st.param.b32 [func_retval0+0], 2; ret; }
.global .align 8 .u64 vtable[4] = {0, 0, one, two};
)");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) { return 1 + t % 2; }, 40)));
}

TEST(Functions, ANullFunctionPointerIsFound) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  .loc 1 31 4
  mov.u64 %rd22, 0;
  { .param .b32 retval0;
  prototype_0 : .callprototype (.param .b32 _) _ ();
  call (retval0), %rd22, (), prototype_0; })"));
  const Finding finding = device.expect_stops({.block = {1}}, {0, 0});
  EXPECT_EQ(finding.kind, Finding::Kind::out_of_bounds);
  EXPECT_EQ(finding.line, 31);
  EXPECT_THAT(finding.message, HasSubstr("function pointer"));
}

TEST(Functions, EndlessRecursionIsFound) {
  SimulatedDevice device;
  device.load(kernel_text("{ call.uni again, (); }",
                          ".func again()\n{\n .loc 1 7 2\n { call.uni again, (); }\n ret;\n}\n"));
  const Finding finding = device.expect_stops({.block = {32}}, {0, 0});
  EXPECT_EQ(finding.line, 7);
  EXPECT_THAT(finding.message, HasSubstr("recursion"));
}

TEST(Functions, MathematicalFunctionsAreBuiltIn) {
  const auto results =
      results_of(R"(
  cvt.rn.f32.s32 %f1, %r1;
  { .param .b32 param0; st.param.f32 [param0+0], %f1; .param .b32 param1; st.param.f32 [param1+0], 0f40000000;
    .param .b32 retval0;
  call.uni (retval0), __nv_powf, (param0, param1);
  ld.param.f32 %f2, [retval0+0]; }
  cvt.rni.s32.f32 %r11, %f2;
  st.global.u32 [%rd4], %r11;)",
                 40, ".extern .func (.param .b32 func_retval0) __nv_powf(.param .b32 a, .param .b32 b);\n");
  EXPECT_THAT(results, ElementsAreArray(expected([](int t) { return t * t; }, 40)));
}

TEST(Rejoin, IsTheNearestInstructionThatAllPathsPass) {
  // 0: branch to 3; 1: on; 2: jump to 4; 3: on; 4: on; 5: end
  std::vector<Instruction> code(6);
  code[0].target = 3;
  code[2].target = 4;
  find_rejoins(code, 0, 6, {Flow::branch, Flow::next, Flow::jump, Flow::next, Flow::next, Flow::end});
  EXPECT_EQ(code[0].rejoin, 4U);
}

TEST(Rejoin, DoesNotWaitWhereOnlyTheEndFollows) {
  std::vector<Instruction> code(3);
  code[0].target = 2;
  find_rejoins(code, 0, 3, {Flow::branch, Flow::next, Flow::end});
  EXPECT_EQ(code[0].rejoin, kNowhere);
}

TEST(Rejoin, DoesNotWaitForLanesThatDie) {
  // 0: branch to 2; 1: dead; 2: on; 3: leave
  std::vector<Instruction> code(4);
  code[0].target = 2;
  find_rejoins(code, 0, 4, {Flow::branch, Flow::dead, Flow::next, Flow::leave});
  EXPECT_EQ(code[0].rejoin, 2U);
}

TEST(Rejoin, HasNoneInALoopWithoutEnd) {
  std::vector<Instruction> code(3);
  code[0].target = 2;
  code[2].target = 0;
  find_rejoins(code, 0, 3, {Flow::branch, Flow::next, Flow::jump});
  EXPECT_EQ(code[0].rejoin, kNowhere);
}

}  // namespace
}  // namespace warpmark::simulator::test
