#include "harness/build/nvcc_spelling.h"

#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

using Text = std::optional<std::string>;

TEST(NvccSpelling, of_a_launch_is_closed_up_and_keeps_its_lines) {
  EXPECT_EQ(in_clangs_spelling("k << <1, 32 >> >(d);"), Text("k <<< 1, 32 >>> (d);"));
  EXPECT_EQ(in_clangs_spelling("k <<\n<1, n >> 5>>>(d);"), Text("k <<<\n1, n >> 5>>>(d);"));
  EXPECT_EQ(in_clangs_spelling("k<<<1, 2 >> >();"), Text("k<<<1, 2 >>> ();"));
}

TEST(NvccSpelling, of_a_backslash_before_a_comment_loses_it) {
  EXPECT_EQ(in_clangs_spelling("a = 1; \\ // one\nb;"), Text("a = 1;   // one\nb;"));
  EXPECT_EQ(in_clangs_spelling("f(1, \\ /* one */ \n2);"), Text("f(1,   /* one */ \n2);"));
}

TEST(NvccSpelling, of_an_alignment_behind_shared_stands_before_it) {
  EXPECT_EQ(in_clangs_spelling("__shared__ alignas(16) char a[8];"),
            Text(" alignas(16) __shared__ char a[8];"));
  EXPECT_EQ(in_clangs_spelling("extern __shared__\n alignas(alignof(T)) T a[];"),
            Text("extern \n alignas(alignof(T)) __shared__ T a[];"));
}

TEST(NvccSpelling, of_a_cluster_is_said_in_the_kernels_body) {
  EXPECT_EQ(in_clangs_spelling("__global__ void __cluster_dims__(2, 1, 1) k(int* a) { *a = 1; }"),
            Text("__global__ void  k(int* a) { warpmark_cluster_dims<2, 1, 1>(); *a = 1; }"));
  EXPECT_EQ(in_clangs_spelling("__cluster_dims__(2,\n1) void k(int);\nvoid f() {}"),
            Text("\n void k(int);\nvoid f() {}"));
}

TEST(NvccSpelling, of_a_register_in_inline_assembly_gets_its_second_percent_sign) {
  EXPECT_EQ(in_clangs_spelling("asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(t));"),
            Text("asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t));"));
  for (const char* source : {"asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(l));", "asm(\"mov.u32 a, %laneid;\");",
                             "asm(\"add %0, %1;\" : \"=r\"(x) : \"r\"(y)); printf(\"%ld %lu\", a, b);"}) {
    EXPECT_EQ(in_clangs_spelling(source), std::nullopt) << source;
  }
}

TEST(NvccSpelling, of_operands_of_inline_assembly_separates_them) {
  EXPECT_EQ(in_clangs_spelling("asm(\"st.u8 [%1], %0;\" ::\"r\"(x) \"l\"(p) : \"memory\"); f(\"a\") \"b\";"),
            Text("asm(\"st.u8 [%1], %0;\" ::\"r\"(x), \"l\"(p) : \"memory\"); f(\"a\") \"b\";"));
}

TEST(NvccSpelling, leaves_what_clang_reads) {
  for (const char* source :
       {"k<<<1, 2>>>();", "a << b >> c;", "vector<vector<set<int> > > v;", "vector<set<list<int>> > v;",
        "friend S& operator<< <T>(S&, T);", "\"k << <1, 2 >> >()\"", "// k << <1, 2 >> >()\n",
        "/* k << <1, 2 >> >() */", "R\"x(k << <1\" >> >)x\"", "'\\'' ; 1'000", "#define A(x) \\ // no\n",
        "alignas(16) __shared__ char a[8];", "__shared__ int alignas_of;",
        "#define A(x) \\\n  x \\\n  << 1\n", "a \\\n b;", "x = '<';", ""}) {
    EXPECT_EQ(in_clangs_spelling(source), std::nullopt) << source;
  }
}

TEST(NvccSpelling, of_text_that_ends_early_is_read_to_its_end) {
  for (const char* source : {"\"abc", "'", "/* x", "R\"(", "R\"", "\\", "<<", "k << ", "//\\"}) {
    EXPECT_EQ(in_clangs_spelling(source), std::nullopt) << source;
  }
}

}  // namespace
}  // namespace warpmark::build
