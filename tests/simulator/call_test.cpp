// Functions: recursion, structures, pointers, what is built in.
#include <gmock/gmock.h>

#include "tests/simulator/one_block.h"

namespace warpmark::simulator::test {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

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

TEST(Functions, recursion_of_different_depth_by_lane) {
  EXPECT_THAT(results_of(kCallFactorial, 64, kFactorial), ElementsAreArray(expected([](int t) {
                int product = 1;
                for (int i = 2; i <= t % 10; ++i) product *= i;
                return product;
              })));
}

TEST(Functions, take_and_return_structures) {
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

TEST(Functions, are_picked_by_pointer_lane_by_lane) {
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

TEST(Functions, are_found_through_tables_of_virtual_functions) {
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

TEST(Functions, a_null_function_pointer_is_found) {
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

TEST(Functions, endless_recursion_is_found) {
  SimulatedDevice device;
  device.load(kernel_text("{ call.uni again, (); }",
                          ".func again()\n{\n .loc 1 7 2\n { call.uni again, (); }\n ret;\n}\n"));
  const Finding finding = device.expect_stops({.block = {32}}, {0, 0});
  EXPECT_EQ(finding.line, 7);
  EXPECT_THAT(finding.message, HasSubstr("recursion"));
}

TEST(Functions, mathematical_functions_are_built_in) {
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

}  // namespace
}  // namespace warpmark::simulator::test
