#include "tests/mutations/mutate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::mutations {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "name: line after the change" of every mutant.
std::vector<std::string> changes(std::string_view program) {
  std::vector<std::string> all;
  for (const Mutant& mutant : mutants_of(program)) all.push_back(mutant.name + ": " + mutant.is);
  return all;
}

std::string in_kernel(const std::string& body) {
  return "__global__ void k(int* p, int n) {\n" + body + "\n}\n";
}

TEST(Mutants, lack_one_synchronisation_each) {
  EXPECT_THAT(
      changes(in_kernel("  __syncthreads();\n  __syncwarp();\n  __syncwarp(0xffu);\n  __threadfence();")),
      ElementsAre("barrier.1: ;", "syncwarp.1: ;", "syncwarp.2: ;", "fence.1: ;"));
  EXPECT_THAT(changes(in_kernel("  volatile int* q = p;")), ElementsAre("volatile.1: int* q = p;"));
}

TEST(Mutants, differ_from_the_program_in_that_place_alone) {
  const std::string program = in_kernel("  p[0] = 1;\n  __syncthreads();  // here\n  p[1] = 1;");
  const auto mutants = mutants_of(program);
  ASSERT_EQ(mutants.size(), 1U);
  EXPECT_EQ(mutants[0].text, in_kernel("  p[0] = 1;\n  ;  // here\n  p[1] = 1;"));
  EXPECT_EQ(mutants[0].line, 3);
  EXPECT_EQ(mutants[0].was, "__syncthreads();  // here");
}

TEST(Mutants, no_longer_test) {
  EXPECT_THAT(changes(in_kernel("  if (n < p[0]) p[1] = 1;")), ElementsAre("test.1: if (true) p[1] = 1;"));
  EXPECT_THAT(changes(in_kernel("  if ((n) >= p[0]) return;")), ElementsAre("test.1: if (false) return;"));
  EXPECT_THAT(changes(in_kernel("  if (n == 0) {\n    p[1] = 1;\n  } else {\n    p[2] = 1;\n  }")),
              ElementsAre("test.1: if (true) {"));
  EXPECT_THAT(changes(in_kernel("  f(n < 3 ? p[n] : p[0], 1);")),
              ElementsAre("test.1: f(true ? p[n] : p[0], 1);"));
}

TEST(Mutants, leave_out_the_special_case_of_a_choice) {
  EXPECT_THAT(changes("void f(int n) {\n  int blocks = n == 0 ? 1 : g(n);\n}\n"),
              ElementsAre("test.1: int blocks = false ? 1 : g(n);"));
}

TEST(Mutants, do_not_set_what_lies_out_of_range) {
  EXPECT_THAT(changes(in_kernel("  p[n] = n < 5 ? p[0] : 0;")),
              ElementsAre("test.1: p[n] = true ? p[0] : 0;", "outside.1: if (n < 5) p[n] = p[0];"));
  EXPECT_THAT(changes(in_kernel("  value_t mine = n < 5 ? p[n] : value_t{0};")),
              ElementsAre("test.1: value_t mine = true ? p[n] : value_t{0};",
                          "outside.1: value_t mine; if (n < 5) mine = p[n];"));
  EXPECT_THAT(changes(in_kernel("  int most = n < 5 ? n : 5;")),
              ElementsAre("test.1: int most = true ? n : 5;"));
}

TEST(Mutants, do_not_begin_at_zero) {
  EXPECT_THAT(changes(in_kernel("  int sum = 0;\n  sum = 0;")), ElementsAre("zero.1: int sum;", "zero.2: ;"));
  EXPECT_THAT(changes("void f(int* p) {\n  cudaMemset(p, 0, 4);\n  cudaMemsetAsync(p, 0, g(4), s);\n}\n"),
              ElementsAre("zero.1: ;", "zero.2: ;"));
}

TEST(Mutants, make_one_round_too_many) {
  EXPECT_THAT(changes(in_kernel("  for (int i = 0; i < n; ++i) p[i] = i;")),
              ElementsAre("bound.1: for (int i = 0; i <= n; ++i) p[i] = i;"));
  EXPECT_THAT(changes(in_kernel("  for (int s = 8; s > 0; s /= 2) p[s] = s;")), IsEmpty());
}

TEST(Mutants, forget_the_ticket_and_the_atomic) {
  EXPECT_THAT(changes(in_kernel("  n = atomicInc(&ticket, gridDim.x - 1);")),
              ElementsAre("ticket.1: n = atomicAdd(&ticket, 1U);"));
  EXPECT_THAT(changes(in_kernel("  atomic_add(p, f(n));")), ElementsAre("atomic.1: *p += f(n);"));
}

TEST(Mutants, touch_neither_comments_nor_strings_nor_constants) {
  EXPECT_THAT(changes(in_kernel(
                  "  // __syncthreads(); if (n < 3)\n  /* __syncwarp(); */ f(\"? : __threadfence();\");")),
              IsEmpty());
  EXPECT_THAT(changes("#if (A)\n" + in_kernel("  if constexpr (kBlock >= 64) p[0] = 1;")), IsEmpty());
}

TEST(Mutants, leave_host_code_its_tests) {
  EXPECT_THAT(changes("void f(int n) {\n  if (n == 0) return;\n  for (int i = 0; i < n; ++i) g(i);\n}\n"),
              IsEmpty());
  EXPECT_THAT(changes("__device__ unsigned ticket = 0;\nvoid f(int n) {\n  if (n > 1) g();\n}\n"), IsEmpty());
}

}  // namespace
}  // namespace warpmark::mutations
