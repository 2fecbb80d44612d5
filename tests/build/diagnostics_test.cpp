// The outputs are recorded: clang 14.0.6, g++ 12.2, nvcc 13.0, GNU ld 2.40, lld 14.

#include "harness/build/diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/build/not_simulated.h"

namespace warpmark::build {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

Diagnostic read(std::string_view output) {
  const std::optional<Diagnostic> diagnostic = first_error(output);
  EXPECT_TRUE(diagnostic) << output;
  return diagnostic.value_or(Diagnostic{});
}

TEST(FirstError, of_clang) {
  const Diagnostic error = read(
      "/s/a.cu:1:23: warning: unused variable 'x' [-Wunused-variable]\n"
      "/s/a.cu:3:18: error: redefinition of 'y'\n"
      "void f() { V(int y;) \n"
      "                 ^\n"
      "/s/a.cu:3:18: note: previous definition is here\n"
      "/s/a.cu:4:6: error: no member named 'vector' in namespace 'std'\n"
      "2 errors generated when compiling for sm_80.\n");
  EXPECT_EQ(error.message, "redefinition of 'y'");
  EXPECT_THAT(error.places, ElementsAre(SourcePlace{"/s/a.cu", 3}));
}

TEST(FirstError, in_a_header_leads_to_its_use_and_its_include) {
  const Diagnostic error = read(
      "In file included from /s/b.cu:1:\n"
      "/c/t.h:1:50: error: member reference base type 'int' is not a structure or union\n"
      "template <class T> __device__ T f(T x) { return x.nothing(); }\n"
      "                                                ~^~~~~~~~\n"
      "/s/b.cu:3:34: note: in instantiation of function template specialization 'f<int>' requested here\n"
      "__global__ void k(int* p) { *p = f(*p); }\n"
      "                                 ^\n"
      "1 error generated when compiling for sm_80.\n");
  EXPECT_THAT(error.places,
              ElementsAre(SourcePlace{"/c/t.h", 1}, SourcePlace{"/s/b.cu", 3}, SourcePlace{"/s/b.cu", 1}));
}

TEST(FirstError, of_gcc_has_the_include_chain_over_several_lines) {
  const Diagnostic error = read(
      "In file included from /s/h.h:2,\n"
      "                 from /s/a.cpp:7:\n"
      "/c/t.h: In instantiation of 'T f(T) [with T = int]':\n"
      "/s/a.cpp:9:20:   required from here\n"
      "/c/t.h:1:50: error: request for member 'nothing' in 'x', which is of non-class type 'int'\n");
  EXPECT_EQ(error.message, "request for member 'nothing' in 'x', which is of non-class type 'int'");
  EXPECT_THAT(error.places, testing::Contains(SourcePlace{"/c/t.h", 1}));
}

TEST(FirstError, of_a_missing_header) {
  const Diagnostic error = read(
      "/s/e.cu:2:10: fatal error: nohead.h: No such file or directory\n"
      "    2 | #include \"nohead.h\"\n"
      "      |          ^~~~~~~~~~\n"
      "compilation terminated.\n");
  EXPECT_EQ(error.message, "nohead.h: No such file or directory");
  EXPECT_THAT(error.places, ElementsAre(SourcePlace{"/s/e.cu", 2}));
}

TEST(FirstError, of_nvccs_front_end) {
  const Diagnostic error = read(
      "/s/e2.cu(1): warning #177-D: variable \"x\" was declared but never referenced\n\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
      "/s/e2.cu(2): error: identifier \"undefined_thing\" is undefined\n"
      "  __attribute__((global)) void k(int* p) { *p = undefined_thing; int x }\n"
      "                                                ^\n\n"
      "1 error detected in the compilation of \"/s/e2.cu\".\n");
  EXPECT_EQ(error.message, "identifier \"undefined_thing\" is undefined");
  EXPECT_THAT(error.places, ElementsAre(SourcePlace{"/s/e2.cu", 2}));
}

TEST(FirstError, of_nvccs_front_end_may_have_a_number) {
  const Diagnostic error = read("a (1).cu(12): error #20-D: identifier \"x\" is undefined\n");
  EXPECT_EQ(error.message, "identifier \"x\" is undefined");
  EXPECT_THAT(error.places, ElementsAre(SourcePlace{"a (1).cu", 12}));
}

TEST(FirstError, of_nvccs_front_end_in_a_template_leads_to_its_use) {
  const Diagnostic error = read(
      "/c/t.h(1): error: expression must have class type but it has type \"int\"\n"
      "  template <class T> __attribute__((device)) T f(T x) { return x.nothing(); }\n"
      "                                                               ^\n"
      "          detected during instantiation of \"T f(T) [with T=int]\" at line 3 of /s/b.cu\n\n"
      "1 error detected in the compilation of \"/s/b.cu\".\n");
  EXPECT_THAT(error.places, ElementsAre(SourcePlace{"/c/t.h", 1}, SourcePlace{"/s/b.cu", 3}));
}

TEST(FirstError, of_ptxas_has_no_place_in_the_source) {
  const Diagnostic error = read(
      "ptxas /tmp/tmpxft_0_c.ptx, line 26; error   : Not a name of any known instruction: 'bogus'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n");
  EXPECT_EQ(error.message, "Not a name of any known instruction: 'bogus'");
  EXPECT_THAT(error.places, IsEmpty());
  EXPECT_EQ(read("ptxas fatal   : Unresolved extern function '_Z1gi'\n").message,
            "Unresolved extern function '_Z1gi'");
  EXPECT_EQ(read("nvcc fatal   : Unsupported gpu architecture 'compute_10'\n").message,
            "Unsupported gpu architecture 'compute_10'");
}

TEST(FirstError, of_the_linker_names_the_symbol_and_the_line) {
  const Diagnostic error = read(
      "/usr/bin/ld: /tmp/u-a3b7b9.o: in function `f':\n"
      "/s/u.cu:3: undefined reference to `g(int)'\n"
      "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n");
  EXPECT_EQ(error.undefined_symbol, "g(int)");
  EXPECT_THAT(error.places, ElementsAre(SourcePlace{"/s/u.cu", 3}));
}

TEST(FirstError, of_the_linker_may_stand_behind_its_name) {
  const Diagnostic error = read("/usr/bin/ld: ./u.cu:2: undefined reference to `cudaLaunchKernel'\n");
  EXPECT_EQ(error.undefined_symbol, "cudaLaunchKernel");
  EXPECT_THAT(error.places, ElementsAre(SourcePlace{"./u.cu", 2}));
}

TEST(FirstError, of_the_linker_may_have_no_line) {
  const Diagnostic error = read(
      "/usr/bin/ld: /tmp/tmpxft_00004ac8_00000000-11_e3.o: in function `h':\n"
      "tmpxft_00004ac8_00000000-6_e3.cudafe1.cpp:(.text+0x11): undefined reference to `g'\n"
      "collect2: error: ld returned 1 exit status\n");
  EXPECT_EQ(error.undefined_symbol, "g");
  EXPECT_THAT(error.places, IsEmpty());
}

TEST(FirstError, of_lld) {
  const Diagnostic error = read(
      "ld.lld: error: undefined symbol: g(int)\n"
      ">>> referenced by u.cu:3 (/s/u.cu:3)\n"
      "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n");
  EXPECT_EQ(error.undefined_symbol, "g(int)");
}

TEST(FirstError, is_the_linkers_status_when_nothing_else_is_said) {
  EXPECT_EQ(read("collect2: error: ld returned 1 exit status\n").message, "ld returned 1 exit status");
}

TEST(FirstError, is_absent_in_warnings_and_in_nothing) {
  EXPECT_FALSE(first_error(""));
  EXPECT_FALSE(first_error("/s/a.cu:1:2: warning: no error here\nptxas info    : Used 8 registers\n"));
}

TEST(NotSimulated, is_what_our_headers_mark_as_unavailable) {
  EXPECT_EQ(
      not_simulated(read("a.cu:2:44: error: 'cudaGraph_t' is unavailable: not simulated by Warpmark\n")),
      "cudaGraph_t");
  EXPECT_EQ(not_simulated(read("a.cu:2:44: error: 'f' is unavailable: too old\n")), std::nullopt);
  EXPECT_EQ(not_simulated(read("a.cu:2:4: error: 'mine' is unavailable: not simulated by Warpmark\n")),
            std::nullopt)
      << "a name of the submission's own";
  EXPECT_EQ(not_simulated(read(
                "a.cu:2:4: error: 'values' is unavailable: not simulated by Warpmark (cluster_group)\n")),
            "cluster_group");
}

TEST(NotSimulated, is_a_header_of_the_toolkit_but_not_one_of_the_students) {
  EXPECT_EQ(not_simulated(read("a.cu:1:10: fatal error: 'cub/cub.cuh' file not found\n")), "cub/cub.cuh");
  EXPECT_EQ(not_simulated(read("a.cu:1:10: fatal error: 'cuda_utils.h' file not found\n")), std::nullopt);
}

TEST(NotSimulated, is_a_runtime_function_that_the_linker_misses) {
  EXPECT_EQ(not_simulated(read("a.cu:3: undefined reference to `cudaGraphLaunch'\n")), "cudaGraphLaunch");
  EXPECT_EQ(not_simulated(read("a.cu:3: undefined reference to `cudaFoo'\n")), std::nullopt);
  EXPECT_EQ(not_simulated(read("a.cu:3: undefined reference to `foo'\n")), std::nullopt);
}

TEST(FirstLines, cuts_long_texts_and_long_lines) {
  EXPECT_EQ(first_lines("a\nb\n", 2), "a\nb\n");
  EXPECT_EQ(first_lines("a\nb\nc\nd\n", 2), "a\nb\n(2 more lines)\n");
  EXPECT_THAT(first_lines(std::string(100000, 'x'), 2), EndsWith("xxx...\n"));
  EXPECT_LT(first_lines(std::string(100000, 'x'), 2).size(), 400U);
}

}  // namespace

}  // namespace warpmark::build
