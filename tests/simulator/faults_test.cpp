// Accesses that must not be, and loops that do not end: the kind, the line and the words.
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

using testing::HasSubstr;

class FaultTest : public testing::Test {
 protected:
  Finding stops(const std::string& body, Address in, Address out,
                SimulatedDevice::Shape shape = {.block = {32}}) {
    device.load(kernel_text(body));
    return device.expect_stops(shape, {in, out});
  }
  SimulatedDevice device;
};

constexpr const char* kFaultyCopy =
    ".loc 1 9 3\n ld.global.u32 %r10, [%rd3];\n .loc 1 10 3\n st.global.u32 [%rd4], %r10;";

TEST_F(FaultTest, a_read_past_the_end_is_found) {
  const Address in = device.allocate(100);
  const Finding finding = stops(kFaultyCopy, in, device.allocate(4096));
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.file, "kernel.cu");
  EXPECT_EQ(finding.line, 9);
  EXPECT_THAT(finding.message, HasSubstr("4-byte read"));
  EXPECT_THAT(
      finding.message,
      HasSubstr(
          "just past the end of a 100-byte allocation, i.e. element 25 of 25 when read as 4-byte values"));
  EXPECT_THAT(finding.message, HasSubstr("block (0,0,0), thread (25,0,0) and 6 more lanes"));
}

TEST_F(FaultTest, what_its_warp_accesses_is_told) {
  const Address in = device.allocate(100);
  const Finding finding = stops(kFaultyCopy, in, device.allocate(4096));
  ASSERT_TRUE(finding.warp_access);
  const WarpAccess& seen = *finding.warp_access;
  EXPECT_EQ(seen.line, 9);
  EXPECT_EQ(seen.block, "block (0,0,0)");
  EXPECT_FALSE(seen.writes || seen.shared);
  EXPECT_EQ(seen.bytes, 4U);
  EXPECT_EQ(seen.elements, 25U);
  EXPECT_EQ(seen.number, 0U);
  ASSERT_EQ(seen.threads.size(), 32U);
  EXPECT_EQ(seen.threads[31], "(31,0,0)");
  EXPECT_EQ(seen.positions[31] - seen.before, 31U);
}

TEST_F(FaultTest, elements_in_front_of_an_array_have_positions_from_0) {
  const Finding finding = stops(".loc 1 4 1\n ld.global.u32 %r10, [%rd3+-8];", device.allocate(4096), 0);
  ASSERT_TRUE(finding.warp_access);
  EXPECT_EQ(finding.warp_access->before, 2U);
  EXPECT_EQ(finding.warp_access->first, 2U);
  EXPECT_EQ(finding.warp_access->positions[0], 0U);
}

TEST_F(FaultTest, a_write_past_the_end_is_found) {
  const Address out = device.allocate(64);
  const Finding finding = stops(kFaultyCopy, device.allocate(4096), out, {.grid = {3}, .block = {32}});
  EXPECT_EQ(finding.line, 10);
  EXPECT_THAT(finding.message, HasSubstr("4-byte write"));
  EXPECT_THAT(finding.message, HasSubstr("element 16 of 16"));
}

TEST_F(FaultTest, one_lane_of_a_partial_warp_is_enough) {
  const Address in = device.allocate(176);
  const Finding finding = stops(kFaultyCopy, in, device.allocate(4096), {.block = {45}});
  EXPECT_THAT(finding.message, HasSubstr("thread (44,0,0); "));
}

TEST_F(FaultTest, an_access_before_the_start_is_found) {
  const Address in = device.allocate(4096);
  const Finding finding = stops(".loc 1 4 1\n ld.global.u32 %r10, [%rd3+-8];", in, in);
  EXPECT_EQ(finding.line, 4);
  EXPECT_THAT(finding.message,
              HasSubstr("8 bytes before the start of a 4096-byte allocation, i.e. element -2 of 1024"));
}

TEST_F(FaultTest, an_access_across_the_end_is_found) {
  const Address in = device.allocate(36);
  const Finding finding = stops("ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd1+32];", in, in);
  EXPECT_THAT(finding.message, HasSubstr("16-byte read"));
  EXPECT_THAT(finding.message, HasSubstr("across the end"));
}

TEST_F(FaultTest, an_access_across_the_end_names_the_allocation_that_it_begins_in) {
  const Address in = device.allocate(4);
  device.allocate(4);
  EXPECT_THAT(stops("ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd1];", in, in).message,
              HasSubstr("across the end of a 4-byte allocation, i.e. element 0 of 0"));
}

TEST_F(FaultTest, an_unsigned_index_that_went_below_0_is_told) {
  const Address in = device.allocate(4);
  const Finding finding = stops(R"(
  .shared .align 4 .b8 sums[64];
  mov.u64 %rd20, sums;
  cvta.shared.u64 %rd21, %rd20;
  mov.u32 %r10, -1;
  mul.wide.u32 %rd22, %r10, 4;
  add.s64 %rd23, %rd21, %rd22;
  ld.u32 %r11, [%rd23];)",
                                in, in);
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("4 bytes before the start of the 64-byte shared array sums"));
  EXPECT_THAT(finding.message, HasSubstr("an unsigned index went below 0"));
}

TEST_F(FaultTest, shared_memory_that_the_launch_did_not_give_is_told) {
  device.load(kernel_text("mov.u64 %rd20, sums;\n ld.shared.u32 %r11, [%rd20+4];",
                          ".extern .shared .align 4 .b8 sums[];\n"));
  const Finding finding = device.expect_stops({.block = {32}}, {0, 0});
  EXPECT_THAT(finding.message, HasSubstr("past the end of the 0-byte shared array sums"));
  EXPECT_THAT(finding.message, HasSubstr("<<<blocks, threads, bytes>>>, and gave 0 bytes"));
}

TEST_F(FaultTest, an_atomic_operation_past_the_end_is_found) {
  const Address in = device.allocate(16);
  const Finding finding = stops("atom.global.add.u32 %r10, [%rd1+16], 1;", in, in);
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("4-byte atomic operation"));
}

TEST_F(FaultTest, a_misaligned_access_is_found) {
  const Address in = device.allocate(4096);
  const Finding finding = stops(".loc 1 4 1\n ld.global.v2.u32 {%r10, %r11}, [%rd3];", in, in);
  EXPECT_EQ(finding.kind, CauseKind::misaligned);
  EXPECT_EQ(finding.line, 4);
  EXPECT_THAT(finding.message,
              HasSubstr("8-byte read at byte 4 of a 4096-byte allocation, which is not a multiple of 8"));
  EXPECT_THAT(finding.message, HasSubstr("thread (1,0,0) and 15 more lanes"));
}

TEST_F(FaultTest, a_misaligned_access_across_the_end_is_misaligned) {
  const Address in = device.allocate(4);
  const Finding finding = stops("st.global.u32 [%rd1+1], %r1;", in, in);
  EXPECT_EQ(finding.kind, CauseKind::misaligned);
  EXPECT_THAT(finding.message, HasSubstr("at byte 1 of a 4-byte allocation, which is not a multiple of 4"));
}

TEST_F(FaultTest, a_variable_is_called_by_its_name_even_where_that_is_a_types_letter_too) {
  device.load(
      kernel_text("mov.u64 %rd20, x;\n ld.global.u32 %r11, [%rd20+4];", ".global .align 4 .u32 x;\n"));
  EXPECT_THAT(device.expect_stops({.block = {32}}, {0, 0}).message, HasSubstr("the 4-byte variable x"));
}

TEST_F(FaultTest, access_to_freed_memory_is_found) {
  const Address in = device.allocate(4096);
  device.memory.release(in);
  const Finding finding = stops(kFaultyCopy, in, device.allocate(4096));
  EXPECT_EQ(finding.kind, CauseKind::use_after_free);
  EXPECT_THAT(finding.message, HasSubstr("0 bytes into a 4096-byte allocation that was freed"));
}

TEST_F(FaultTest, a_host_pointer_is_found) {
  std::vector<std::int32_t> host(64);
  const Finding finding = stops(kFaultyCopy, reinterpret_cast<Address>(host.data()), device.allocate(4096));
  EXPECT_EQ(finding.kind, CauseKind::host_pointer);
  EXPECT_EQ(finding.line, 9);
  EXPECT_THAT(finding.message, HasSubstr("host memory"));
}

TEST_F(FaultTest, a_null_pointer_is_called_one) {
  const Finding finding = stops(kFaultyCopy, 0, device.allocate(4096));
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_THAT(finding.message, HasSubstr("a null pointer;"));
  EXPECT_THAT(stops("ld.global.u32 %r10, [%rd1+400];", 0, 0).message,
              HasSubstr("a null pointer plus 400 bytes"));
}

TEST_F(FaultTest, pinned_host_memory_is_no_fault) {
  const Address in = device.memory.allocate(128, Allocation::Kind::host_pinned).value();
  const Address out = device.allocate(128);
  device.load(kernel_text(kFaultyCopy));
  device.expect_completes({.block = {32}}, {in, out});
  EXPECT_THAT(device.expect_stops({.block = {33}}, {in, out}).message, HasSubstr("pinned host allocation"));
}

constexpr const char* kFaultyShared = R"(
  .shared .align 4 .b8 _ZZ1kvE4tile[128];
  mov.u64 %rd20, _ZZ1kvE4tile;
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd20, %rd21;
  .loc 1 22 3
  st.shared.u32 [%rd22+4], %r1;)";

TEST_F(FaultTest, a_write_past_the_end_of_shared_memory_is_found) {
  const Finding finding = stops(kFaultyShared, 0, 0);
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_EQ(finding.line, 22);
  EXPECT_THAT(finding.message, HasSubstr("the 128-byte shared array tile, i.e. element 32 of 32"));
  EXPECT_THAT(finding.message, HasSubstr("thread (31,0,0)"));
}

TEST_F(FaultTest, shared_memory_is_named_by_the_array_before_it_where_another_kernel_has_dynamic_memory) {
  device.load(kernel_text(kFaultyShared, ".extern .shared .align 4 .b8 dyn[];\n"));
  const Finding finding = device.expect_stops({.block = {32}}, {0, 0});
  EXPECT_THAT(finding.message, HasSubstr("past the end of the 128-byte shared array tile"));
}

TEST_F(FaultTest, a_generic_access_past_the_end_of_shared_memory_is_found) {
  const Finding finding = stops(R"(
  .shared .align 4 .b8 tile[128];
  mov.u64 %rd20, tile;
  cvta.shared.u64 %rd23, %rd20;
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd23, %rd21;
  .loc 1 23 3
  ld.u32 %r10, [%rd22+-4];)",
                                0, 0);
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_EQ(finding.line, 23);
}

TEST_F(FaultTest, an_index_past_dynamic_shared_memory_is_found) {
  device.load(kernel_text(R"(
  mov.u64 %rd20, dyn;
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd20, %rd21;
  st.shared.u32 [%rd22], %r1;)",
                          ".extern .shared .align 4 .b8 dyn[];\n"));
  device.expect_completes({.block = {32}, .dynamic_shared = 128}, {0, 0});
  const Finding finding = device.expect_stops({.block = {33}, .dynamic_shared = 128}, {0, 0});
  EXPECT_THAT(finding.message, HasSubstr("the 128-byte shared array dyn, i.e. element 32 of 32"));
}

TEST_F(FaultTest, an_index_past_a_local_array_is_found) {
  const Finding finding = stops(R"(
  .local .align 4 .b8 __local_depot0[64];
  .reg .b64 %SP;
  .reg .b64 %SPL;
  mov.u64 %SPL, __local_depot0;
  cvta.local.u64 %SP, %SPL;
  add.u64 %rd20, %SP, 0;
  mul.wide.s32 %rd21, %r1, 4;
  add.s64 %rd22, %rd20, %rd21;
  .loc 1 5 5
  st.u32 [%rd22], %r1;)",
                                0, 0);
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_EQ(finding.line, 5);
  EXPECT_THAT(finding.message, HasSubstr("local variables"));
}

TEST_F(FaultTest, an_endless_loop_is_found_by_its_line) {
  device.load(kernel_text(R"(
  .loc 1 6 3
LOOP:
  ld.volatile.global.u32 %r10, [%rd1];
  setp.ne.s32 %p1, %r10, 12345;
  @%p1 bra LOOP;)"));
  const Address in = device.upload(counting(32));
  const Finding finding =
      device.expect_stops({.block = {64}}, {in, in}, {.instruction_budget = 100000, .host_threads = 1});
  EXPECT_EQ(finding.kind, CauseKind::endless_loop);
  EXPECT_EQ(finding.line, 6);
}

TEST_F(FaultTest, of_nested_loops_the_one_that_does_not_end_is_named) {
  device.load(kernel_text(R"(
OUTER:
  .loc 1 6 3
  mov.u32 %r10, 0;
INNER:
  .loc 1 7 3
  add.s32 %r10, %r10, 1;
  setp.lt.s32 %p1, %r10, 50;
  @%p1 bra INNER;
  .loc 1 9 3
  bra.uni OUTER;)"));
  const LaunchOptions options{.instruction_budget = 100000, .host_threads = 1};
  EXPECT_EQ(device.expect_stops({.block = {64}}, {0, 0}, options).line, 9);
}

TEST_F(FaultTest, a_loop_of_one_lane_behind_a_branch_is_found) {
  device.load(kernel_text(R"(
  setp.ne.s32 %p1, %r1, 3;
  @%p1 bra DONE;
LOOP:
  .loc 1 8 3
  bra.uni LOOP;
DONE:)"));
  const Finding finding =
      device.expect_stops({.block = {64}}, {0, 0}, {.instruction_budget = 100000, .host_threads = 1});
  EXPECT_EQ(finding.kind, CauseKind::endless_loop);
  EXPECT_EQ(finding.line, 8);
}

TEST_F(FaultTest, the_default_budget_ends_a_loop) {
  device.load(kernel_text("LOOP:\n .loc 1 3 3\n bra.uni LOOP;"));
  EXPECT_EQ(device.expect_stops({.block = {1}}, {0, 0}).kind, CauseKind::endless_loop);
}

TEST_F(FaultTest, a_trap_is_found) {
  const Finding finding = stops("setp.ne.s32 %p1, %r1, 3;\n .loc 1 8 3\n @!%p1 trap;", 0, 0);
  EXPECT_EQ(finding.kind, CauseKind::cuda_error);
  EXPECT_EQ(finding.line, 8);
  EXPECT_THAT(finding.message, HasSubstr("thread (3,0,0)"));
}

TEST_F(FaultTest, the_first_block_is_told_whatever_the_number_of_threads) {
  device.load(kernel_text(kFaultyCopy));
  const Address in = device.allocate(12800);
  const Address out = device.allocate(128000);
  for (const unsigned threads : {1U, 2U, 4U}) {
    const Finding finding =
        device.expect_stops({.grid = {1000}, .block = {32}}, {in, out}, {.host_threads = threads});
    EXPECT_THAT(finding.message, HasSubstr("block (100,0,0)"));
  }
}

TEST_F(FaultTest, the_first_block_is_told_whichever_fails_first) {
  // Block 3000 fails after a while and the later ones at once; then the other way round. Those before it keep
  // all host threads busy.
  for (const auto& [turns, later_turns] : {std::pair(900, 1), std::pair(400, 900)}) {
    device.load(kernel_text(fmt::format(R"(
  setp.lt.s32 %p1, %r2, 3000;
  setp.eq.s32 %p2, %r2, 3000;
  selp.b32 %r10, 900, {1}, %p1;
  selp.b32 %r10, {0}, %r10, %p2;
LOOP:
  sub.s32 %r10, %r10, 1;
  setp.gt.s32 %p3, %r10, 0;
  @%p3 bra LOOP;
  @%p1 ret;
  st.global.u32 [%rd1], %r1;)",
                                        turns, later_turns)));
    for (int attempt = 0; attempt < 5; ++attempt) {
      const Finding finding =
          device.expect_stops({.grid = {4000}, .block = {32}}, {0, 0}, {.host_threads = 4});
      ASSERT_THAT(finding.message, HasSubstr("block (3000,0,0)"));
    }
  }
}

TEST_F(FaultTest, what_is_not_simulated_is_named_at_its_launch_only) {
  device.load(module_text(R"(
.visible .entry good() { ret; }
.visible .entry bad()
{
  .reg .b32 %r<9>;
  .loc 1 41 7
  vabsdiff.u32.u32.u32 %r1, %r2, %r3;
  ret;
}
.extern .func mystery();
.func helper() { .loc 1 50 2
  { call.uni mystery, (); } ret; }
.visible .entry caller() { { call.uni helper, (); } ret; }
)"));
  EXPECT_TRUE(device.launch({}, {}, {}, "good").completed);
  const Outcome bad = device.launch({}, {}, {}, "bad");
  EXPECT_FALSE(bad.completed);
  ASSERT_EQ(bad.findings.size(), 1U);
  EXPECT_EQ(bad.findings[0].kind, CauseKind::unsupported);
  EXPECT_EQ(bad.findings[0].line, 41);
  EXPECT_THAT(bad.findings[0].message, HasSubstr("vabsdiff.u32.u32.u32"));
  const Outcome caller = device.launch({}, {}, {}, "caller");
  ASSERT_EQ(caller.findings.size(), 1U);
  EXPECT_EQ(caller.findings[0].line, 50);
  EXPECT_THAT(caller.findings[0].message, HasSubstr("function mystery"));
}

// Modifiers that change the answer must not be ignored.
class UnsupportedTest : public testing::TestWithParam<std::string> {};

TEST_P(UnsupportedTest, is_named) {
  SimulatedDevice device;
  device.load(kernel_text(GetParam()));
  const Finding finding = device.expect_stops({}, {0, 0});
  EXPECT_EQ(finding.kind, CauseKind::unsupported);
  EXPECT_THAT(finding.message, HasSubstr(GetParam().substr(0, GetParam().find(' '))));
}

INSTANTIATE_TEST_SUITE_P(All, UnsupportedTest,
                         testing::Values("add.sat.s32 %r10, %r11, %r12;", "add.cc.s32 %r10, %r11, %r12;",
                                         "ld.global.u32.foo %r10, [%rd1];",
                                         "atom.global.add.noftz.f16 %rs1, [%rd1], %rs2;",
                                         "shfl.up.b32 %r10, %r11, 1, 0;", "add.s32 %rd10, %rd11, %rd12;",
                                         "mov.u32 %r10, %pm0;", "bar.arrive 0;", "cvt.rn.bf16.f32 %rs1, %f1;",
                                         "min.xorsign.abs.f32 %f1, %f2, %f3;",
                                         "prmt.b32.f4e %r10, %r11, %r12, %r13;"));

}  // namespace
}  // namespace warpmark::simulator::test
