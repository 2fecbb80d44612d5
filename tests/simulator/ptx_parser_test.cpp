#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/simulator/ptx/parser.h"

namespace warpmark::simulator::ptx {
namespace {

constexpr const char* kHead = ".version 7.0\n.target sm_80, debug\n.address_size 64\n";

Module parsed(const std::string& text) {
  auto module = parse(kHead + text);
  EXPECT_TRUE(module) << module.error();
  return module ? std::move(*module) : Module{};
}

std::string error_of(const std::string& text) {
  const auto module = parse(text);
  EXPECT_FALSE(module);
  return module ? "" : module.error();
}

TEST(PtxParser, reads_variables_with_initialisers) {
  const Module module = parsed(R"(
.visible .global .align 4 .u32 counter = 5;
.global .align 1 .b8 _$_str[3] = {104, 105, 0};
.visible .global .align 8 .u64 msg = generic(_$_str)+1;
.visible .const .align 4 .b8 coef[16];
.extern .shared .align 16 .b8 dyn[];
)");
  ASSERT_EQ(module.variables.size(), 5U);
  EXPECT_EQ(module.variables[0].initialisers[0].bits, 5U);
  EXPECT_EQ(module.variables[1].bytes, 3U);
  EXPECT_EQ(module.variables[2].initialisers[0].symbol, "_$_str");
  EXPECT_EQ(module.variables[2].initialisers[0].bits, 1U);
  EXPECT_EQ(module.variables[3].space, Space::constant);
  EXPECT_TRUE(module.variables[4].unsized);
}

TEST(PtxParser, reads_a_function_with_results_and_parameters) {
  const Module module = parsed(R"(
.visible .func (.param .b32 func_retval0) f(.param .b32 f_param_0, .param .align 8 .b8 f_param_1[16])
{
  ret;
}
)");
  const Function& function = module.functions.at(0);
  EXPECT_FALSE(function.entry);
  EXPECT_EQ(function.prototype.results.at(0).bytes, 4U);
  EXPECT_EQ(function.prototype.parameters.at(1).bytes, 16U);
  EXPECT_EQ(function.prototype.parameters.at(1).alignment, 8U);
}

TEST(PtxParser, replaces_a_declaration_by_its_definition) {
  const Module module = parsed(".func f();\n.func f()\n{\n ret;\n}\n");
  ASSERT_EQ(module.functions.size(), 1U);
  EXPECT_TRUE(module.functions[0].defined);
}

TEST(PtxParser, keeps_labels_guards_and_locations) {
  const Module module = parsed(R"(
.entry k() .maxntid 256, 1, 1
{
  .reg .pred %p<2>;
  .loc 1 12 3
$L__BB0_1:
  @!%p1 bra $L__BB0_1;
  .loc 1 0 3
  ret;
  .loc 2 7 1, function_name $L__info_string0, inlined_at 1 20 4
  exit;
}
.file 1 "/home/a" "b.cu"
.file 2 "/usr/c.h"
.section .debug_loc { .b8 1 }
)");
  const Function& function = module.functions.at(0);
  EXPECT_EQ(function.labels.at("$L__BB0_1"), 0U);
  EXPECT_TRUE(function.body[0].guard_negated);
  EXPECT_EQ(function.registers[static_cast<std::size_t>(function.body[0].guard)].name, "%p1");
  EXPECT_EQ(function.body[0].location, (Location{1, 12, 3}));
  EXPECT_EQ(function.body[1].location.line, 12U) << "line 0 is no line: the one before it stays";
  EXPECT_EQ(function.body[2].location, (Location{2, 7, 1}));
  EXPECT_EQ(module.files.at(1), "/home/a/b.cu");
  EXPECT_EQ(module.files.at(2), "/usr/c.h");
}

TEST(PtxParser, reads_all_kinds_of_operands) {
  const Module module = parsed(R"(
.entry k()
{
  .reg .b32 %r<9>;
  .reg .f32 %f<2>;
  .reg .pred %p<3>;
  .reg .b64 %rd<3>;
  op %r1, -7, 0x1F, 0f3F800000, 0d3FF0000000000000;
  op [%rd1+-8], [%rd2], [sym+4], [16];
  op {%r1, _, %r8}, %p1|%p2, !%p1, %tid.x, sym+4;
}
)");
  const auto& first = module.functions.at(0).body.at(0).operands;
  EXPECT_EQ(static_cast<std::int64_t>(first[1].bits), -7);
  EXPECT_EQ(first[2].bits, 0x1FU);
  EXPECT_EQ(first[3].type, Type::f32);
  EXPECT_EQ(first[4].bits, 0x3FF0000000000000U);
  const auto& second = module.functions.at(0).body.at(1).operands;
  EXPECT_EQ(second[0].offset, -8);
  EXPECT_EQ(second[2].name, "sym");
  EXPECT_EQ(second[3].offset, 16);
  const auto& third = module.functions.at(0).body.at(2).operands;
  EXPECT_EQ(third[0].elements.size(), 3U);
  EXPECT_EQ(third[0].elements[1].kind, Operand::Kind::sink);
  EXPECT_EQ(third[1].kind, Operand::Kind::pair);
  EXPECT_TRUE(third[2].negated);
  EXPECT_EQ(third[3].name, "%tid.x");
  EXPECT_EQ(third[4].offset, 4);
}

TEST(PtxParser, gives_equal_names_in_different_scopes_different_places) {
  const Module module = parsed(R"(
.entry k()
{
  { .param .b32 param0; st.param.b32 [param0+0], 1; }
  { .param .b32 param0; .reg .b32 t; st.param.b32 [param0+0], t; }
}
)");
  const Function& function = module.functions.at(0);
  ASSERT_EQ(function.variables.size(), 2U);
  EXPECT_NE(function.variables[0].name, function.variables[1].name);
  EXPECT_EQ(function.body[1].operands[0].name, function.variables[1].name);
  EXPECT_EQ(function.body[1].operands[1].kind, Operand::Kind::reg);
}

TEST(PtxParser, says_where_the_text_is_wrong) {
  using testing::HasSubstr;
  EXPECT_THAT(error_of("#include <iostream>\n"), HasSubstr("line 1"));
  EXPECT_THAT(error_of(""), HasSubstr(".version"));
  const std::string head = kHead;
  EXPECT_THAT(error_of(head + ".entry k()\n{\n  add.s32 %r1 %r2;\n}\n"),
              HasSubstr("line 6: '%r2' stands where ','"));
  EXPECT_THAT(error_of(head + ".entry k()\n{\n  ret;\n"), HasSubstr("the text ends"));
  EXPECT_THAT(error_of(head + ".entry k()\n{\n  @%p1 bra L;\n}\n"), HasSubstr("a declared predicate"));
  EXPECT_THAT(error_of(head + ".entry k()\n{\n  .reg .b99 %r<2>;\n}\n"), HasSubstr("a register's type"));
  EXPECT_THAT(error_of(head + ".entry k()\n{\n  mov.f32 %f1, 0f3F8;\n}\n"), HasSubstr("0f3F8"));
  EXPECT_THAT(error_of(head + "nonsense\n"), HasSubstr("'nonsense' stands"));
  EXPECT_THAT(error_of(head + ".entry k()\n{\n  .pragma \"nounroll\"\n"), HasSubstr("the text ends"));
}

}  // namespace
}  // namespace warpmark::simulator::ptx
