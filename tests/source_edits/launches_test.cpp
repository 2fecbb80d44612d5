// What the source says of launches, and of calls that are given arrays.
#include "harness/source_edits/launches.h"

#include <gtest/gtest.h>

#include "harness/source_edits/displacements.h"

namespace warpmark::source_edits {
namespace {

constexpr const char* kLaunches =
    "template <int kEach> __global__ void each(int* to) {\n  extern __shared__ const float values[];\n}\n"
    "void v(int* to) {\n  const unsigned bytes = 8 * sizeof(int);\n"
    "  each<4><<<dim3(1, 2), 32, f(2, 3), stream>>>(to);\n  sum<<<1, 32, bytes>>>(to);\n"
    "  last<<<1, 32>>>(to);\n  other<<<1, 32, 8 * sizeof(int)>>>(to);\n}\n";

TEST(Launches, are_found_by_the_kernel_with_the_size_of_its_dynamic_memory) {
  const auto each = launch_of(kLaunches, "each<4>");
  ASSERT_TRUE(each);
  EXPECT_EQ(each->line, 6);
  EXPECT_EQ(each->shared_bytes, "f(2, 3)");
  EXPECT_FALSE(each->is_in_bytes);
  EXPECT_TRUE(launch_of(kLaunches, "other")->is_in_bytes);
  EXPECT_TRUE(launch_of(kLaunches, "scope::sum")->is_in_bytes) << "a variable that begins in bytes";
  EXPECT_EQ(launch_of(kLaunches, "last")->shared_bytes, "");
  EXPECT_FALSE(launch_of(kLaunches, "none"));
}

TEST(Launches, give_memory_to_arrays_of_a_type) {
  EXPECT_EQ(dynamic_array_type(kLaunches, "values"), "const float");
  EXPECT_EQ(dynamic_array_type(kLaunches, "to"), "");
}

constexpr const char* kSums =
    "__global__ void sums(const float* from, int n, float* to) {\n  to[0] = from[n];\n}\n"
    "void v(float* room, float* sum, int n) {\n  sums<<<1, n>>>(sum, n, room);\n";

TEST(Launches, with_one_pointer_for_two_parameters_are_found) {
  const auto twice =
      same_pointer_for_two(std::string(kSums) + "  sums<<<1, n>>>(room + 1, n, room + 1);\n}\n");
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->line, 6);
  EXPECT_EQ(twice->argument, "room + 1");
  EXPECT_FALSE(same_pointer_for_two(std::string(kSums) + "}\n"));
  EXPECT_FALSE(
      same_pointer_for_two("int f(int a, int b) {\n  return a;\n}\nint g() {\n  return f(n, n);\n}\n"))
      << "numbers";
}

std::string scatter(const std::string& filled, const std::string& rest) {
  return "void v() {\n  std::vector<int> first(ranks);\n  " + filled +
         "\n  MPI_Scatterv(q, n.data(), first.data(), MPI_INT, own, 1, MPI_INT, 0, all);\n" + rest + "}\n";
}

TEST(Displacements, are_found_where_they_are_filled) {
  for (const char* filled : {"first[r] = begin;", "first.push_back(begin);",
                             "std::exclusive_scan(n.begin(), n.end(), first.begin(), 0);"}) {
    const auto found = filled_displacements(scatter(filled, ""), "MPI_Scatterv");
    EXPECT_EQ(found.line, 3) << filled;
    EXPECT_EQ(found.array, "first");
  }
}

TEST(Displacements, that_nothing_fills_or_that_another_call_passes_too_are_not_at_fault) {
  EXPECT_EQ(filled_displacements(scatter("f(first);", ""), "MPI_Scatterv").line, 0);
  EXPECT_EQ(filled_displacements(
                scatter("first[r] = begin;",
                        "  MPI_Gatherv(own, 1, MPI_INT, q, n.data(), first.data(), MPI_INT, 0, all);\n"),
                "MPI_Scatterv")
                .line,
            0);
  EXPECT_EQ(filled_displacements(scatter("first[r] = begin;", ""), "MPI_Gatherv").line, 0);
}

TEST(LineOfThreadCount, is_that_of_the_constant) {
  const std::string head = "constexpr unsigned kThreads = 2048;\nvoid f(unsigned n) {\n  ";
  EXPECT_EQ(line_of_thread_count(head + "k<<<blocks, kThreads, 0, s>>>(a);\n}\n", 3), 1);
  EXPECT_EQ(line_of_thread_count(head + "k<<<dim3(n, kThreads), n>>>(a);\n}\n", 3), 0) << "no constant";
  EXPECT_EQ(line_of_thread_count(head + "k<<<dim3(n, n), kThreads>>>(a);\n}\n", 3), 1);
  EXPECT_EQ(line_of_thread_count(head + "k<<<1, kThreads>>>(a);\n}\n", 2), 0) << "another line";
}

}  // namespace
}  // namespace warpmark::source_edits
