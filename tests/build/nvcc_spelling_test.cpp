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
