#include "harness/simulator/decode/array_index.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "harness/simulator/ptx/parser.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

// a[i] of an array at the frame's byte 8, or of a shared one: the forms that clang 14 gives them at -O0.
std::string kernel(const std::string& test, const std::string& base) {
  return R"(.version 7.0
.target sm_80
.address_size 64
.extern .func __ubsan_handle_out_of_bounds(.param .b64 p0, .param .b64 p1);
.global .align 1 .b8 _$_src[3] = {97, 98, 0};
.global .align 8 .b8 __unnamed_1[14] = {255, 255, 0, 0, 39, 105, 110, 116, 91, 52, 93, 39, 0, 0};
.global .align 8 .b8 __unnamed_2[10] = {0, 0, 11, 0, 39, 105, 110, 116, 39, 0};
.global .align 8 .u64 __unnamed_3[4] = {generic(_$_src), 1, generic(__unnamed_1), generic(__unnamed_2)};
.visible .entry k(.param .u64 out, .param .u64 index)
{
  .local .align 8 .b8 __local_depot0[24];
  .shared .align 4 .b8 s[16];
  .reg .b64 %SP;
  .reg .b64 %SPL;
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<12>;
  mov.u64 %SPL, __local_depot0;
  cvta.local.u64 %SP, %SPL;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [index];
  st.u64 [%SP+0], %rd2;
)" + test +
         R"(L1:
  mov.u64 %rd7, __unnamed_3;
  cvta.global.u64 %rd8, %rd7;
  {
  .param .b64 param0;
  st.param.b64 [param0+0], %rd8;
  .param .b64 param1;
  st.param.b64 [param1+0], %rd2;
  call.uni __ubsan_handle_out_of_bounds, (param0, param1);
  }
  bra.uni L2;
L2:
  shl.b64 %rd3, %rd2, 2;
)" + base +
         R"(  add.s64 %rd5, %rd4, %rd3;
  mov.u32 %r1, 7;
  st.u32 [%rd5], %r1;
  ld.u32 %r2, [%rd5];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
}

const std::string kUsualTest = "  setp.lt.u64 %p1, %rd2, 4;\n  @%p1 bra L2;\n  bra.uni L1;\n";
const std::string kTestOfAClass = "  setp.lt.u64 %p1, %rd2, 5;\n  @%p1 bra L2;\n  bra.uni L1;\n";
const std::string kOtherTest =
    "  setp.lt.u64 %p1, %rd2, 4;\n  @%p1 bra L2;\n  mov.u32 %r4, 1;\n  bra.uni L1;\n";
const std::string kLocal = "  add.u64 %rd4, %SP, 8;\n";
const std::string kShared = "  mov.u64 %rd6, s;\n  cvta.shared.u64 %rd4, %rd6;\n";

std::optional<FailedIndex> failed(const std::string& text) {
  const auto module = ptx::parse(text);
  if (!module) {
    ADD_FAILURE() << module.error();
    return std::nullopt;
  }
  const ptx::Function& function = module->functions.back();
  const auto call = std::find_if(function.body.begin(), function.body.end(), [](const auto& instruction) {
    return instruction.opcode.starts_with("call");
  });
  return failed_local_index(function, static_cast<std::size_t>(call - function.body.begin()));
}

TEST(ArrayIndex, of_a_local_array_is_told_with_the_register_that_holds_it) {
  const auto found = failed(kernel(kUsualTest, kLocal));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->index_register);
}

TEST(ArrayIndex, of_a_local_array_is_told_without_it_where_the_code_looks_otherwise) {
  const auto found = failed(kernel(kOtherTest, kLocal));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->index_register);
}

TEST(ArrayIndex, of_another_array_is_no_matter_of_the_variables_beside_it) {
  EXPECT_FALSE(failed(kernel(kUsualTest, "  add.u64 %rd9, %SP, 12;\n  st.u32 [%rd9], %r1;\n" + kShared)));
}

TEST(ArrayIndex, of_a_shared_array_is_left_to_the_access) {
  EXPECT_FALSE(failed(kernel(kUsualTest, kShared)));
}

TEST(IndexTests, are_made_strict_for_local_arrays_only) {
  const auto bound = [](const std::string& base) {
    auto module = ptx::parse(kernel(kTestOfAClass, base)).value();
    settle_index_tests(module);
    const auto& body = module.functions.back().body;
    return std::find_if(body.begin(), body.end(), [](const auto& i) { return i.opcode == "setp.lt.u64"; })
        ->operands.at(2)
        .bits;
  };
  EXPECT_EQ(bound(kLocal), 4U);
  EXPECT_EQ(bound(kShared), 5U);
}

TEST(IndexTests, leave_no_descriptions_of_arrays_behind) {
  auto module = ptx::parse(kernel(kUsualTest, kLocal)).value();
  EXPECT_EQ(module.variables.size(), 4U);
  settle_index_tests(module);
  EXPECT_TRUE(module.variables.empty());
}

class IndexedKernel : public testing::Test, public SimulatedDevice {};

TEST_F(IndexedKernel, stops_at_an_index_outside_and_only_there) {
  load(kernel(kUsualTest, kLocal));
  const Address out = upload(std::vector<std::int32_t>{0});
  expect_completes({}, {out, 3});
  EXPECT_EQ(download<std::int32_t>(out, 1).front(), 7);
  const Finding finding = expect_stops({}, {out, 4});
  EXPECT_EQ(finding.kind, CauseKind::out_of_bounds);
  EXPECT_NE(finding.message.find("index 4 is outside a thread's own array"), std::string::npos)
      << finding.message;
  EXPECT_NE(expect_stops({}, {out, ~std::uint64_t{0}}).message.find("index -1 "), std::string::npos);
}

TEST_F(IndexedKernel, stops_just_past_the_last_element_of_a_class) {
  load(kernel(kTestOfAClass, kLocal));
  const Address out = upload(std::vector<std::int32_t>{0});
  expect_completes({}, {out, 3});
  EXPECT_EQ(expect_stops({}, {out, 4}).kind, CauseKind::out_of_bounds);
}

TEST_F(IndexedKernel, is_told_more_by_the_access_to_shared_memory) {
  load(kernel(kUsualTest, kShared));
  const Finding finding = expect_stops({}, {upload(std::vector<std::int32_t>{0}), 4});
  EXPECT_NE(finding.message.find("shared array s"), std::string::npos) << finding.message;
}

}  // namespace
}  // namespace warpmark::simulator::test
