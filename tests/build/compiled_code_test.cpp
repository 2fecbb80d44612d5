#include "harness/build/compiled_code.h"

#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

TEST(WithoutPlaces, leaves_instructions_alone) {
  EXPECT_EQ(without_places("\t.file\t1 \"a.cu\"\nadd.s32 %r1, %r2, 1;  // comment\n\t.loc\t1 3 5\n\t.section "
                           ".debug_info\n{\n.b8 1\n}\nret;\n"),
            "add.s32 %r1, %r2, 1;\nret;\n");
}

TEST(WithoutNames, numbers_what_is_defined_and_leaves_library_functions_and_instructions) {
  EXPECT_EQ(without_names(
                ".extern .func vprintf\n.shared .align 4 .b8 _ZZ1kPiE6shared[1024];\n"
                ".visible .entry _Z1kPi(\n.param .u64 _Z1kPi_param_0\n)\n.reg .b32 %r<2>;\n"
                "ld.param.u64 %rd1, [_Z1kPi_param_0];\nmov.u32 %r1, _ZZ1kPiE6shared;\ncall.uni vprintf;\n"),
            ".extern .func vprintf\n.shared .align 4 .b8 #1[1024];\n"
            ".visible .entry #2(\n.param .u64 #3\n)\n.reg .b32 %r<2>;\n"
            "ld.param.u64 %rd1, [#3];\nmov.u32 %r1, #1;\ncall.uni vprintf;\n");
}

}  // namespace
}  // namespace warpmark::build
