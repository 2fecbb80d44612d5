#include "harness/build/source_places.h"

#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

constexpr std::string_view kSource = R"(#include "sum.h"
__device__ unsigned ticket;  // 1 / 2
__device__ const int kTable[2] = {1, 2};
__device__ float half(float x) { return x; }
__global__ void sum(const float* in, float* out) {
  __shared__ float part[kThreads];
  if (threadIdx.x > 5) return;
  const float4 four = reinterpret_cast<const float4*>(in)[0];
  part[threadIdx.x] = four.x;
}
void version(const float* in, float* out) {
  cudaMemset(out, 0, 4);
  cudaMemcpyAsync(other, in, 4, cudaMemcpyDefault);
}
)";

TEST(SourcePlaces, of_arrays_calls_and_returns) {
  EXPECT_EQ(shared_declaration(kSource, "part").line, 6);
  EXPECT_EQ(shared_declaration(kSource, "par").line, 0);
  EXPECT_EQ(memory_call(kSource, "out").code, "cudaMemset(out, 0, 4);");
  EXPECT_EQ(memory_call(kSource, "nobody").line, 0) << "two calls set memory";
  EXPECT_EQ(memory_call("a;\ncudaMemset(sums, 0, n);\n", "nobody").line, 2) << "the only one";
  EXPECT_EQ(return_above(kSource, 9).line, 7);
  EXPECT_EQ(return_above(kSource, 7).line, 0) << "another function's";
}

TEST(SourcePlaces, of_what_a_kernel_uses_and_of_calls_of_a_library) {
  EXPECT_EQ(use_in_kernel(kSource, "sum<int>", "threadIdx.x").line, 7);
  EXPECT_EQ(use_in_kernel(kSource, "other", "threadIdx.x").line, 0);
  constexpr std::string_view kCalls =
      "#include <thrust/sort.h>\nthrust::copy(a, b);\nthrust::sort_by_key(a, b);\n";
  EXPECT_EQ(library_call(kCalls, "sort").line, 3);
  EXPECT_EQ(library_call(kCalls, "scan").line, 2);
  EXPECT_EQ(library_call(kSource, "sort").line, 0);
}

TEST(SourcePlaces, of_what_is_kept_between_calls) {
  EXPECT_EQ(kept_variable(kSource).line, 2);
  EXPECT_EQ(kept_variable("static const int k = 1;\nstatic int twice(int x);\n").line, 0);
  EXPECT_EQ(use_of("int a;\n__device__ int b = 0;\nf(a);\ng(b);\n", {2, "__device__ int b = 0;"}).line, 4);
  EXPECT_EQ(use_of("__device__ int b[2];\n", {1, "__device__ int b[2];"}).line, 0);
  EXPECT_EQ(kept_variable("void f() {\n  static float* partial = allocated(4);\n}\n").line, 2);
}

TEST(SourcePlaces, of_a_type_that_one_line_names) {
  EXPECT_EQ(only_line_with("int a;\nshort b;\n// short\n", {"short", "int16_t"}).line, 2);
  EXPECT_EQ(only_line_with("short a;\nshort b;\n", {"short"}).line, 0);
}

TEST(SourcePlaces, of_vector_types) {
  EXPECT_EQ(vector_type(kSource, 8).bytes, 16);
  EXPECT_EQ(vector_type(kSource, 9).name, "float4") << "of the file";
  EXPECT_EQ(vector_type("int x;\n", 1).bytes, 0);
}

}  // namespace
}  // namespace warpmark::build
