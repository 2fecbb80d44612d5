#include "harness/source_edits/mutants.h"

#include <algorithm>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::source_edits {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

std::string kernel(const std::string& body) {
  return "#include \"a.h\"\n\nconstexpr int kThreads = 256;\n\n__global__ void k(const int* a, const int* b, "
         "std::size_t n, int* out) {\n" +
         body + "\n}\n";
}

std::vector<std::string> edits_of(const std::string& text, std::string_view kind) {
  std::vector<std::string> edits;
  for (const Mutant& mutant : mutants_of("v01", "v01.cu", text)) {
    if (mutant.kind == kind) edits.push_back(mutant.edit);
  }
  return edits;
}

// Returns the changed line of the only mutant with that edit.
std::string changed_line(const std::string& text, const std::string& edit) {
  for (const Mutant& mutant : mutants_of("v01", "v01.cu", text)) {
    if (mutant.edit != edit) continue;
    std::size_t at = 0;
    for (int line = 1; line < mutant.line; ++line) at = mutant.text.find('\n', at) + 1;
    return mutant.text.substr(at, mutant.text.find('\n', at) - at);
  }
  return "no mutant";
}

TEST(Mutants, drop_bounds_tests) {
  EXPECT_EQ(changed_line(kernel("  if (i < n) out[i] = 1;"), "i < n to true"), "  if (true) out[i] = 1;");
  EXPECT_EQ(changed_line(kernel("  if (i >= n) return;"), "i >= n to false"), "  if (false) return;");
  EXPECT_EQ(changed_line(kernel("  x = i < n ? a[i] : 0;"), "always the value before :"),
            "  x = i < n || true ? a[i] : 0;");
  EXPECT_THAT(edits_of(kernel("  if (i < n && j < m) f();"), "test"),
              UnorderedElementsAre("i < n && j < m to true", "drop && j < m", "drop i < n &&"));
}

TEST(Mutants, exchange_comparisons_but_no_brackets_of_templates) {
  EXPECT_THAT(
      edits_of(
          kernel("  auto x = static_cast<unsigned>(n);\n  f<int>(x);\n  k<<<1, 2>>>();\n  if (x<n) f();"),
          "comparison"),
      ElementsAre("< to <="));
  EXPECT_THAT(edits_of(kernel("  if (x == 0 || y >= 2) f();"), "comparison"),
              ElementsAre("== to !=", ">= to >"));
}

TEST(Mutants, drop_barriers_and_leave_the_semicolon) {
  EXPECT_EQ(changed_line(kernel("  __syncthreads();"), "drop __syncthreads();"), "  ;");
  EXPECT_THAT(
      edits_of(kernel("  cooperative_groups::this_thread_block().sync();\n  __syncwarp(mask);"), "barrier"),
      ElementsAre("drop cooperative_groups::this_thread_block().sync();", "drop __syncwarp(mask);"));
}

TEST(Mutants, make_atomics_plain) {
  EXPECT_EQ(changed_line(kernel("  atomicAdd(&out[i], a[i]);"), "atomicAdd made plain"),
            "  *(&out[i]) = *(&out[i]) + (a[i]);");
  EXPECT_EQ(
      changed_line(kernel("  const int ticket = atomicAdd(out, 1);"), "atomicAdd made plain"),
      "  const int ticket = [&] { const auto before = *(out); *(out) = *(out) + (1); return before; }();");
}

TEST(Mutants, take_another_parameter_of_the_same_type) {
  EXPECT_THAT(edits_of(kernel("  out[i] = a[i];"), "buffer"), ElementsAre("a to b"));
}

TEST(Mutants, change_numbers_but_not_the_shape_of_a_launch) {
  EXPECT_THAT(edits_of(kernel("  k<<<8, 256, 0, stream>>>(a);\n  x = 0;"), "constant"),
              ElementsAre("0 to 1"));
  EXPECT_THAT(edits_of(kernel("  __shared__ int s[64];"), "constant"), ElementsAre("64 to 63"));
  EXPECT_THAT(edits_of(kernel("  x = 0x10u;"), "constant"), ElementsAre("0x10u to 0x11u", "0x10u to 0xfu"));
}

TEST(Mutants, leave_a_quotient_that_is_rounded_up_by_one_too_many_alone) {
  EXPECT_THAT(edits_of(kernel("  b = (n + kThreads - 1) / kThreads;"), "constant"), ElementsAre("1 to 2"));
  EXPECT_THAT(edits_of(kernel("  b = (n + kThreads - 1) / kThreads;"), "arithmetic"),
              ElementsAre("+ to -", "/ to *"));
  EXPECT_THAT(edits_of(kernel("  b = (n + kThreads - 1) / kWarps;"), "constant"),
              ElementsAre("1 to 2", "1 to 0"))
      << "another divisor";
  EXPECT_THAT(edits_of(kernel("  b = (n - 1) / kThreads;"), "arithmetic"), Contains("- to +"))
      << "no divisor is added";
}

TEST(Mutants, leave_the_first_value_of_what_cuda_writes_alone) {
  EXPECT_THAT(edits_of(kernel("  int device = 0;\n  cudaGetDevice(&device);"), "constant"), IsEmpty());
  EXPECT_THAT(edits_of(kernel("  int device = 0;\n  cudaGetDevice(&device);"), "statement"), IsEmpty());
  EXPECT_THAT(edits_of(kernel("  int a = 0;\n  f(a);\n  cudaGetDevice(&a);"), "constant"),
              ElementsAre("0 to 1"))
      << "it is read first";
  EXPECT_THAT(edits_of(kernel("  int a = 0;\n  f(&a);"), "constant"), ElementsAre("0 to 1"))
      << "a function that may read it";
}

TEST(Mutants, leave_comparisons_that_choose_one_of_two_equal_values_alone) {
  EXPECT_THAT(edits_of(kernel("  x = a + 1 < n ? a + 1 : n;"), "comparison"), IsEmpty());
  EXPECT_THAT(edits_of(kernel("  if (blocks > most) blocks = most;"), "comparison"), IsEmpty());
  EXPECT_THAT(edits_of(kernel("  if (x < y) { y = x; }"), "comparison"), IsEmpty());
  EXPECT_THAT(edits_of(kernel("  x = a < n ? a : 0;"), "comparison"), ElementsAre("< to <="));
  EXPECT_THAT(edits_of(kernel("  if (blocks > most) blocks = less;"), "comparison"), ElementsAre("> to >="));
  EXPECT_THAT(edits_of(kernel("  x = a == b ? a : b;"), "comparison"), ElementsAre("== to !="));
}

TEST(Mutants, change_indices_but_not_declarations) {
  EXPECT_THAT(edits_of(kernel("  __shared__ int s[kThreads];\n  out[i] = 3;"), "index"),
              ElementsAre("out[... + 1]", "out[... - 1]"));
}

TEST(Mutants, change_steps_of_loops) {
  EXPECT_THAT(
      edits_of(kernel("  for (unsigned i = t; i < n; i += s) f();\n  for (int k = 0; k < 3; ++k) f();"),
               "stride"),
      ElementsAre("s to 2 * (s)", "s to 1", "++k to k += 2"));
}

TEST(Mutants, let_neighbouring_threads_take_elements_far_apart) {
  EXPECT_EQ(changed_line(kernel("  i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;"),
                         "threadIdx.x * gridDim.x + blockIdx.x"),
            "  i = std::size_t{threadIdx.x} * gridDim.x + blockIdx.x;");
  EXPECT_EQ(changed_line(kernel("  const int tid = threadIdx.x;\n  i = blockIdx.x * blockDim.x + tid;"),
                         "threadIdx.x * gridDim.x + blockIdx.x"),
            "  i = threadIdx.x * gridDim.x + blockIdx.x;");
  EXPECT_THAT(edits_of(kernel("  i = blockIdx.x * blockDim.x + lane;"), "order"), IsEmpty());
}

TEST(Mutants, know_products_from_pointers) {
  EXPECT_THAT(edits_of(kernel("  const int* p = a;\n  x = y * f(z)[1] + 1;"), "arithmetic"),
              ElementsAre("drop * f(z)[1]", "+ to -"));
}

TEST(Mutants, end_loops_after_one_round) {
  EXPECT_EQ(changed_line(kernel("  for (;;) f(i);"), "only one round"), "  for (;;) { f(i); break; }");
}

TEST(Mutants, do_not_drop_declarations) {
  EXPECT_THAT(
      edits_of(kernel("  const int x = 1;\n  std::size_t y = f();\n  int* p = g();\n  y += 2;\n  f(x);"),
               "statement"),
      ElementsAre("drop y += 2;", "drop f(x);"));
}

TEST(Mutants, are_made_inside_functions_alone) {
  EXPECT_THAT(mutants_of("v01", "v01.cu", "constexpr int kThreads = 256;\nint table[3] = {1, 2, 3};\n"),
              IsEmpty());
}

TEST(Mutants, are_made_inside_the_solution_alone_if_it_is_marked) {
  const std::string text =
      kernel("  x = 1;\n  // <solution> TODO: y\n  // <stub> z = 3;\n  y = 2;\n  // </solution>\n  w = 4;");
  EXPECT_THAT(edits_of(text, "constant"), ElementsAre("2 to 3", "2 to 1"));
}

TEST(Mutants, keep_the_number_of_lines) {
  const std::string text = kernel("  f(a,\n    b);\n  g();");
  const auto lines = [](const std::string& source) { return std::ranges::count(source, '\n'); };
  for (const Mutant& mutant : mutants_of("v01", "v01.cu", text))
    EXPECT_EQ(lines(mutant.text), lines(text)) << mutant.edit;
}

TEST(Mutants, of_equal_lines_and_edits_are_numbered) {
  std::map<std::uint64_t, int> lines;
  for (const Mutant& mutant :
       mutants_of("v01", "v01.cu", kernel("  if (i < n) f();\n  g();\n  if (i < n) f();"))) {
    if (mutant.edit == "< to <=") lines[mutant.nth] = mutant.line;
  }
  EXPECT_THAT(lines, ElementsAre(testing::Pair(1U, 6), testing::Pair(2U, 8)));
}

TEST(Mutants, differ_from_each_other_and_from_the_solution) {
  const std::string text = kernel("  for (unsigned i = 0; i < n; i += 1) out[i] = a[i] * 2 + b[i];");
  std::vector<std::string> texts{text};
  for (const Mutant& mutant : mutants_of("v01", "v01.cu", text)) {
    EXPECT_THAT(texts, Not(Contains(mutant.text)));
    texts.push_back(mutant.text);
  }
  EXPECT_GT(texts.size(), 10U);
}

TEST(Operators, have_names_of_their_own_and_a_text_for_users) {
  std::map<std::string_view, int> names;
  for (const Operator& each : operators()) {
    ++names[each.name];
    EXPECT_FALSE(each.what.empty()) << each.name;
    EXPECT_EQ(find_operator(each.name), &each);
  }
  for (const auto& [name, count] : names) EXPECT_EQ(count, 1) << name;
}

TEST(Sample, is_drawn_from_the_seed_and_keeps_the_order) {
  const auto all =
      mutants_of("v01", "v01.cu", kernel("  for (unsigned i = 0; i < n; i += 1) out[i] = a[i] * 2 + b[i];"));
  const auto first = sample_of(all, 5, 1);
  ASSERT_EQ(first.size(), 5U);
  const auto texts = [](const std::vector<Mutant>& mutants) {
    std::vector<std::string> list;
    for (const Mutant& mutant : mutants) list.push_back(mutant.text);
    return list;
  };
  EXPECT_EQ(texts(first), texts(sample_of(all, 5, 1)));
  EXPECT_NE(texts(first), texts(sample_of(all, 5, 2)));
  EXPECT_TRUE(std::ranges::is_sorted(first, {}, [&](const Mutant& mutant) {
    return std::ranges::find(all, mutant.text, &Mutant::text) - all.begin();
  }));
  EXPECT_EQ(sample_of(all, 0, 1).size(), all.size());
}

}  // namespace
}  // namespace warpmark::source_edits
