// Whole launches: memory of all kinds.
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/simulator/ptx/program.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

// A tree in shared memory, one atomic addition a block.
constexpr const char* kTree = R"(
  .shared .align 4 .b8 sums[1024];
  ld.global.u32 %r10, [%rd3];
  mov.u64 %rd20, sums;
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd20, %rd21;
  st.shared.u32 [%rd22], %r10;
  bar.sync 0;
  shr.u32 %r11, %r3, 1;
LOOP:
  setp.ge.u32 %p1, %r1, %r11;
  @%p1 bra SKIP;
  mul.wide.s32 %rd23, %r11, 4;
  add.s64 %rd24, %rd22, %rd23;
  ld.shared.u32 %r12, [%rd24];
  ld.shared.u32 %r13, [%rd22];
  add.s32 %r13, %r13, %r12;
  st.shared.u32 [%rd22], %r13;
SKIP:
  bar.sync 0;
  shr.u32 %r11, %r11, 1;
  setp.ne.s32 %p2, %r11, 0;
  @%p2 bra LOOP;
  setp.ne.s32 %p3, %r1, 0;
  @%p3 ret;
  ld.shared.u32 %r14, [%rd20];
  red.global.add.u32 [%rd2], %r14;)";

TEST(Launch, a_tree_reduction_adds_up) {
  SimulatedDevice device;
  device.load(kernel_text(kTree));
  const auto values = counting(12800, -1000);
  const Address in = device.upload(values);
  for (const std::uint64_t schedule : {0, 1, 2, 77}) {
    for (const unsigned threads : {1U, 4U}) {
      const Address out = device.upload(counting(1));
      device.expect_completes({.grid = {50}, .block = {256}}, {in, out},
                              {.schedule = schedule, .host_threads = threads});
      EXPECT_EQ(device.download<std::int32_t>(out, 1)[0], std::accumulate(values.begin(), values.end(), 0));
    }
  }
}

TEST(Launch, a_rest_that_was_not_checked_can_run_later) {
  SimulatedDevice device;
  device.load(kernel_text(kTree));
  const auto values = counting(12800, -1000);
  const Address in = device.upload(values);
  for (const std::uint64_t schedule : {0, 77}) {
    const Address out = device.upload(counting(1));
    const Outcome first = device.launch({.grid = {50}, .block = {256}}, {in, out},
                                        {.schedule = schedule, .check_limit = 2000, .check_accesses = true});
    ASSERT_TRUE(first.completed && first.rest);
    EXPECT_GT(first.work_done, 2000U);
    EXPECT_LT(*first.rest, 50U);
    EXPECT_FALSE(first.one_order || first.repeatable);
    const Outcome rest = device.launch({.grid = {50}, .block = {256}}, {in, out},
                                       {.schedule = schedule, .first_block = *first.rest});
    EXPECT_TRUE(rest.completed && !rest.rest);
    EXPECT_EQ(device.download<std::int32_t>(out, 1)[0], std::accumulate(values.begin(), values.end(), 0));
  }
}

TEST(Launch, knows_where_each_thread_is) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  mov.u32 %r10, %tid.y; mov.u32 %r11, %tid.z; mov.u32 %r12, %ntid.y; mov.u32 %r13, %ntid.z;
  mov.u32 %r14, %ctaid.y; mov.u32 %r15, %ctaid.z; mov.u32 %r16, %nctaid.x; mov.u32 %r17, %nctaid.y;
  mov.u32 %r18, %laneid; mov.u32 %r19, %warpid; mov.u32 %r20, %nctaid.z;
  mad.lo.s32 %r21, %r11, %r12, %r10;
  mad.lo.s32 %r21, %r21, %r3, %r1;
  mul.lo.s32 %r22, %r3, %r12;
  mul.lo.s32 %r22, %r22, %r13;
  mad.lo.s32 %r23, %r15, %r17, %r14;
  mad.lo.s32 %r23, %r23, %r16, %r2;
  mad.lo.s32 %r24, %r23, %r22, %r21;
  mul.wide.s32 %rd20, %r24, 4;
  add.s64 %rd21, %rd2, %rd20;
  mad.lo.s32 %r25, %r19, 32, %r18;
  sub.s32 %r25, %r25, %r21;
  mad.lo.s32 %r25, %r20, 1000, %r25;
  add.s32 %r25, %r25, %r24;
  st.global.u32 [%rd21], %r25;)"));
  const std::size_t threads = std::size_t{2} * 3 * 4 * 5 * 3 * 4;
  const Address out = device.upload(std::vector<std::int32_t>(threads, -1));
  device.expect_completes({.grid = {2, 3, 4}, .block = {5, 3, 4}}, {out, out});
  EXPECT_EQ(device.download<std::int32_t>(out, threads), counting(threads, 4000));
}

TEST(Launch, moves_vectors_and_narrow_values) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  mul.wide.s32 %rd20, %r1, 16;
  add.s64 %rd21, %rd1, %rd20;
  add.s64 %rd22, %rd2, %rd20;
  ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd21];
  ld.v2.u64 {%rd30, %rd31}, [%rd21];
  ld.global.s8 %r14, [%rd21];
  ld.global.u8 %rs1, [%rd21+1];
  ld.global.s16 %rd32, [%rd21+2];
  cvt.u32.u16 %r15, %rs1;
  cvt.u32.u64 %r16, %rd31;
  cvt.u32.u64 %r17, %rd32;
  add.s32 %r18, %r13, %r16;
  st.global.v4.u32 [%rd22], {%r14, %r15, %r17, %r18};)"));
  std::vector<std::int32_t> in(160);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * 0x9E3779B9U);
  const Address source = device.upload(in);
  const Address target = device.upload(std::vector<std::int32_t>(in.size()));
  device.expect_completes({.block = {40}}, {source, target});
  const auto out = device.download<std::int32_t>(target, in.size());
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(out[4 * i], static_cast<std::int8_t>(in[4 * i]));
    EXPECT_EQ(out[4 * i + 1], static_cast<std::uint8_t>(in[4 * i] >> 8));
    EXPECT_EQ(out[4 * i + 2], static_cast<std::int16_t>(in[4 * i] >> 16));
    EXPECT_EQ(out[4 * i + 3], static_cast<std::int32_t>(static_cast<std::uint32_t>(in[4 * i + 3]) +
                                                        static_cast<std::uint32_t>(in[4 * i + 2])));
  }
}

TEST(Launch, keeps_local_arrays_apart_by_lane) {
  // Each lane fills an array of 64-bit and 16-bit values at its own index, through generic and local
  // addresses.
  SimulatedDevice device;
  device.load(kernel_text(R"(
  .local .align 8 .b8 __local_depot0[128];
  .reg .b64 %SP;
  .reg .b64 %SPL;
  mov.u64 %SPL, __local_depot0;
  cvta.local.u64 %SP, %SPL;
  st.u32 [%SP+0], %r1;
  st.u16 [%SP+6], 7;
  and.b32 %r10, %r1, 7;
  mul.wide.s32 %rd20, %r10, 8;
  add.u64 %rd21, %SP, 64;
  add.s64 %rd22, %rd21, %rd20;
  cvt.s64.s32 %rd23, %r1;
  shl.b64 %rd24, %rd23, 33;
  st.u64 [%rd22], %rd24;
  add.u64 %rd25, %SPL, 64;
  add.s64 %rd26, %rd25, %rd20;
  ld.local.u32 %r11, [%rd26+4];
  ld.local.v2.u32 {%r14, %r15}, [%rd26];
  ld.u32 %r12, [%SP];
  ld.s16 %r13, [%SP+6];
  add.s32 %r11, %r11, %r12;
  add.s32 %r11, %r11, %r13;
  add.s32 %r11, %r11, %r15;
  st.global.u32 [%rd4], %r11;)"));
  const Address out = device.upload(counting(50));
  device.expect_completes({.block = {50}}, {out, out});
  const auto results = device.download<std::int32_t>(out, 50);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], 5 * i + 7);
}

TEST(Launch, has_device_variables_with_initial_values) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  ld.global.u32 %r10, [counter];
  mov.u64 %rd20, table;
  ld.const.u32 %r11, [table+4];
  ld.global.u64 %rd21, [pointer];
  ld.u32 %r12, [%rd21];
  ld.global.u32 %r13, [zero];
  add.s32 %r10, %r10, %r11;
  add.s32 %r10, %r10, %r12;
  add.s32 %r10, %r10, %r13;
  setp.eq.s32 %p1, %r1, 0;
  @%p1 st.global.u32 [zero], %r10;)",
                          R"(
.visible .global .align 4 .u32 counter = 5;
.visible .const .align 4 .b8 table[8] = {1, 0, 0, 0, 44, 1, 0, 0};
.visible .global .align 8 .u64 pointer = generic(counter);
.visible .global .align 4 .u32 zero;
)"));
  device.expect_completes({.block = {32}}, {0, 0});
  const Address zero = device.module->variable("zero").value();
  EXPECT_EQ(device.download<std::int32_t>(zero, 1)[0], 310);
  EXPECT_EQ(device.memory.find(zero)->name, "zero");
  EXPECT_FALSE(device.module->variable("nothing"));
}

TEST(Launch, tells_parameters_and_shared_memory_of_a_kernel) {
  SimulatedDevice device;
  device.load(module_text(R"(
.extern .shared .align 16 .b8 dyn[];
.visible .entry _Z6kernelPiicd(.param .u64 a, .param .u32 b, .param .u8 c, .param .align 8 .b8 d[24])
{ .shared .align 4 .b8 one[10]; .shared .align 8 .b8 two[16]; ret; }
)"));
  const Kernel* kernel = device.module->find("_Z6kernelPiicd");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(parameter_sizes(*kernel), (std::vector<std::size_t>{8, 4, 1, 24}));
  EXPECT_EQ(static_shared_bytes(*kernel), 32U);
  EXPECT_EQ(display_name(*kernel), "kernel");
  EXPECT_EQ(device.module->find("kernel"), nullptr);
}

// What the optimiser leaves of a kernel whose every path is undefined.
TEST(Launch, runs_a_kernel_without_an_instruction) {
  SimulatedDevice device;
  device.load(module_text(".visible .entry k() { }"));
  device.expect_completes({.grid = {3}, .block = {40}}, {},
                          {.host_threads = 1, .check_accesses = true, .count_work = true});
}

TEST(Launch, passes_parameters_of_all_sizes) {
  SimulatedDevice device;
  device.load(module_text(R"(
.visible .entry k(.param .u64 out, .param .u8 c, .param .align 8 .b8 s[16], .param .f64 d)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f64 %fd<4>; .reg .b16 %rs<4>;
  ld.param.u64 %rd1, [out];
  ld.param.s8 %rs1, [c];
  mov.b64 %rd3, s;
  ld.param.u32 %r2, [%rd3+4];
  ld.param.f64 %fd1, [d];
  ld.param.v2.u32 {%r5, %r6}, [s+8];
  cvt.s32.s16 %r1, %rs1;
  cvt.rzi.s32.f64 %r3, %fd1;
  st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r6};
  ret;
}
)"));
  const Address out = device.allocate(16);
  const std::int8_t c = -5;
  const std::array<std::int32_t, 4> s{1, 22, 3, 44};
  const double d = 77.5;
  const std::array<const void*, 4> arguments{&out, &c, &s, &d};
  EXPECT_TRUE(
      run({.kernel = device.module->find("k"), .arguments = arguments.data()}, {}, device.memory).completed);
  EXPECT_EQ(device.download<std::int32_t>(out, 4), (std::vector<std::int32_t>{-5, 22, 77, 44}));
}

TEST(Launch, places_dynamic_shared_memory_behind_static_arrays) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  .shared .align 4 .b8 fixed[20];
  mov.u64 %rd20, fixed;
  mov.u64 %rd21, dyn;
  st.shared.u32 [%rd20+16], 1;
  st.shared.u32 [%rd21], 2;
  cvta.shared.u64 %rd22, %rd21;
  ld.shared.u32 %r10, [%rd20+16];
  ld.u32 %r11, [%rd22];
  mad.lo.s32 %r10, %r10, 10, %r11;
  cvt.u32.u64 %r12, %rd21;
  mad.lo.s32 %r10, %r12, 100, %r10;
  st.global.u32 [%rd4], %r10;)",
                          ".extern .shared .align 16 .b8 dyn[];\n"));
  const Address out = device.allocate(4);
  device.expect_completes({.block = {1}, .dynamic_shared = 4}, {out, out});
  // 20 bytes, rounded up to 32, and a gap; then the two values.
  const int place = 32 + static_cast<int>(kSharedGapStep);
  EXPECT_EQ(device.download<std::int32_t>(out, 1)[0], 100 * place + 12);
}

TEST(Launch, shares_module_arrays_between_functions) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  .shared .align 4 .b8 own[4];
  { call.uni put, (); }
  mov.u64 %rd20, own;
  st.shared.u32 [%rd20], 1;
  ld.shared.u32 %r10, [both+4];
  st.global.u32 [%rd4], %r10;)",
                          R"(
.shared .align 4 .b8 both[8];
.func put() { .reg .b32 %r<2>; mov.u32 %r1, 99; st.shared.u32 [both+4], %r1; ret; }
)"));
  const Address out = device.allocate(4);
  device.expect_completes({.block = {1}}, {out, out});
  EXPECT_EQ(device.download<std::int32_t>(out, 1)[0], 99);
  EXPECT_EQ(static_shared_bytes(*device.module->find("k")), 12U);
}

TEST(Launch, gives_undefined_memory_a_pattern_that_is_not_zero) {
  SimulatedDevice device;
  device.load(kernel_text(R"(
  .shared .align 4 .b8 nobody[4];
  ld.shared.u32 %r10, [nobody];
  st.global.u32 [%rd4], %r10;)"));
  const Address out = device.allocate(4);
  device.expect_completes({.block = {1}}, {out, out});
  EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 0xCDCDCDCDU);
}

}  // namespace
}  // namespace warpmark::simulator::test
