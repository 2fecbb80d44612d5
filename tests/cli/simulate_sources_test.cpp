// `warpmark simulate` on programs as nvcc takes them: spellings, files, names of older toolkits.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/simulate_fixture.h"

namespace warpmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(Simulate, a_launch_may_have_spaces_and_a_backslash_a_comment_behind_it) {
  write("fill.cuh", R"(
__global__ void fill(int* a) { a[threadIdx.x] = 7; }
inline void run(int* d) { fill << <1, 32 >> >(d); }
)");
  const Child child = simulate(R"(#include "fill.cuh"
int main() {
  int h[32], *d; \ // one block
  cudaMalloc(&d, sizeof h);
  run(d);
  fill << <1, 32 >> >(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[31]);
  cudaFree(d);
}
)");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("7\n"), HasSubstr("no findings")));
}

TEST_F(Simulate, a_folder_of_headers_with_a_header_of_its_name_is_no_contract) {
  std::filesystem::create_directory(folder.path() / "common");
  write("common/common.h", "int helper();\n");
  write("a.cu", "nowhere x;\nint main() {}\n");
  expect_unusable(run({"-I", "common", "a.cu"}), "unknown type name 'nowhere'");
  EXPECT_EQ(finding("compile_error")["message"], "unknown type name 'nowhere'");
}

TEST_F(Simulate, a_finding_in_a_respelled_source_has_the_lines_of_its_author) {
  const Child child = simulate(R"(
__global__ void past(int* a) {
  a[threadIdx.x + 1] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 32 * sizeof(int));
  past << <1, 32 >> >(d);
  cudaDeviceSynchronize();
}
)");
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_EQ(finding("out_of_bounds")["line"], 3);
  EXPECT_EQ(finding("out_of_bounds")["file"], "a.cu");
}

TEST_F(Simulate, names_that_cuda_13_removed_are_taken_with_a_remark) {
  const Child child = simulate(R"(
__global__ void sum(float* a) {
  float v = a[threadIdx.x];
  for (int i = 16; i > 0; i /= 2) v += __shfl_down(v, i);
  unsigned all = __ballot(threadIdx.x < 3);
  if (threadIdx.x == 0) a[0] = v + all;
}
int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  if (prop.clockRate <= 0 || !prop.deviceOverlap || prop.computeMode != cudaComputeModeDefault) return 9;
  float h[32], *d;
  for (int i = 0; i < 32; ++i) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(d);
  cudaThreadSynchronize();
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%.0f\n", h[0]);
  cudaFree(d);
}
)");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("503\n"), HasSubstr("no findings")));
  const std::string remarks = result()["remarks"].dump();
  EXPECT_THAT(remarks, AllOf(HasSubstr("a.cu:4: '__shfl_down' is deprecated: removed in CUDA 13, write "
                                       "__shfl_down_sync(0xffffffff, ...)"),
                             HasSubstr("a.cu:11: 'clockRate' is deprecated: removed in CUDA 13"),
                             HasSubstr("removed in CUDA 13, write cudaDeviceSynchronize")));
}

TEST_F(Simulate, a_program_that_only_cxx_17_takes_is_compiled_so) {
  const Child child = simulate(R"(
#include <stdio.h>
#ifndef __NVCC__
#error "of nvcc alone"
#endif
__global__ void one(int* a) { *a = 1; }
int main() {
  int h = 0, *d;
  cudaMalloc(&d, sizeof h);
  one<<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  int requires = h, concept = 0;
  printf("%d\n", requires);
  return concept;
}
)");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("1\n"));
}

// What both refuse is told of the first.
TEST_F(Simulate, an_error_in_every_version_of_cxx_is_told_once) {
  const Child child = simulate("int main() {\n  return nothing;\n}\n");
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("a.cu:2"), HasSubstr("undeclared identifier 'nothing'")));
}

TEST_F(Simulate, a_missing_return_in_a_host_function_is_remarked_and_the_program_runs) {
  const Child child = simulate(R"(
#include <stdio.h>
__global__ void one(int* a) { *a = 1; }
int launch(int* d) { one<<<1, 1>>>(d); }
int main() {
  int h = 0, *d;
  cudaMalloc(&d, sizeof h);
  launch(d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(d);
}
)");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("1\n"), HasSubstr("no findings")));
  EXPECT_THAT(result()["remarks"].dump(), HasSubstr("a.cu:4: non-void function does not return a value"));
}

// At -O2 a compiler that trusts types would take a[0] for unchanged: the answers of the runs would differ.
TEST_F(Simulate, values_may_be_written_and_read_by_other_types) {
  const Child child = simulate(R"(
__global__ void set(float* a, int k) {
  a[0] = 1;
  *(unsigned*)&a[k] = 0x40000000;
  a[1] = a[0];
}
int main() {
  float h[2], *d;
  cudaMalloc(&d, sizeof h);
  set<<<1, 1>>>(d, 0);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[1]);
  cudaFree(d);
}
)");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("2 2\n"));
  EXPECT_EQ(result()["findings"], nlohmann::json::array());
}

TEST_F(Simulate, a_helper_header_knows_the_runtime_and_profilers_are_told_nothing) {
  write("helper.h", R"(
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || __CUDACC_VER_MAJOR__ < 9
#error "include the runtime first"
#endif
#define CHECK(call) \
  do { cudaError_t e = (call); if (e != cudaSuccess) { printf("%s: %s\n", #call, cudaGetErrorName(e)); exit(9); } } while (0)
)");
  const Child child = simulate(R"(#include <cuda_profiler_api.h>
#include <nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
#include "helper.h"
int main() {
  nvtx3::scoped_range range{"all"};
  nvtxRangePushA("inner");
  int rate = 0, mode = -1;
  CHECK(cudaProfilerStart());
  CHECK(cudaProfilerStart());
  CHECK(cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0));
  CHECK(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0));
  CHECK(cudaProfilerStop());
  nvtxRangePop();
  char bus[32];
  CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  if (cudaDeviceEnablePeerAccess(1, 0) != cudaErrorInvalidDevice) return 8;
  cudaGetLastError();
  time_t now = time(nullptr);
  return now > 0 && rate > 0 && mode == 0 && strlen(bus) == 12 && INT_MAX > 0 && fabs(-1.0) == 1.0 ? 0 : 7;
}
)");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("no findings"));
}

constexpr const char* kReadByAnotherDevice = R"(
__global__ void twice(int* to, const int* from) { to[threadIdx.x] = 2 * from[threadIdx.x]; }
int main() {
  int host[32], *from, *to;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaStream_t stream;
  cudaMallocAsync(&from, sizeof host, 0);
  cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  cudaMallocAsync(&to, sizeof host, stream);
#ifdef RIGHTS
  cudaMemAccessDesc access = {};
  access.location = {cudaMemLocationTypeDevice, 1};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  if (cudaMemPoolSetAccess(pool, &access, 1) != cudaSuccess) return 7;
#endif
  twice<<<1, 32, 0, stream>>>(to, from);
  cudaMemcpyAsync(host, to, sizeof host, cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 8;
  cudaFreeAsync(to, stream);
  cudaStreamSynchronize(stream);
  cudaSetDevice(0);
  cudaFreeAsync(from, 0);
  return host[31] == 62 ? 0 : 9;
}
)";

TEST_F(Simulate, rights_of_a_memory_pool_let_another_device_read_it) {
  const Child child = simulate(kReadByAnotherDevice, {"--devices", "2", "-D", "RIGHTS"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("no findings"));
}

TEST_F(Simulate, another_device_reads_a_memory_pool_without_rights) {
  EXPECT_NE(simulate(kReadByAnotherDevice, {"--devices", "2"}).status, 0);
  EXPECT_EQ(finding("peer_access")["line"], 2);
}

constexpr const char* kReadBesideAnotherDevice = R"(
__global__ void fill(int* values) { values[threadIdx.x] = threadIdx.x + 1; }
int main() {
  int *first, *second;
  cudaMallocManaged(&first, 32 * sizeof(int));
  cudaMallocManaged(&second, 32 * sizeof(int));
  fill<<<1, 32>>>(first);
#ifdef EACH
  cudaDeviceSynchronize();
#endif
  cudaSetDevice(1);
  fill<<<1, 32>>>(second);
  cudaDeviceSynchronize();
  const int sum = first[31] + second[31];
  cudaFree(first);
  cudaFree(second);
  return sum == 64 ? 0 : 9;
}
)";

TEST_F(Simulate, the_host_waits_for_each_device_by_itself) {
  const Child child = simulate(kReadBesideAnotherDevice, {"--devices", "2", "-D", "EACH"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("no findings"));
}

TEST_F(Simulate, waiting_for_one_device_is_not_waiting_for_the_other) {
  EXPECT_NE(simulate(kReadBesideAnotherDevice, {"--devices", "2"}).status, 0);
  EXPECT_EQ(finding("missing_synchronize")["line"], 14);
}

TEST_F(Simulate, a_program_includes_what_lies_beside_its_folder) {
  std::filesystem::create_directories(folder.path() / "lab");
  write("lab/sum.cu", "#include \"../common/book.h\"\nint main() { return kOne + kTwo - 3; }\n");
  std::filesystem::create_directories(folder.path() / "common");
  write("common/book.h", "#include \"more.h\"\nconst int kOne = 1;\n");
  write("common/more.h", "const int kTwo = 2;\n");
  const Child child = run({"lab/sum.cu"});
  EXPECT_EQ(child.status, 0) << child.output;
}

TEST_F(Simulate, a_library_that_is_not_linked_is_named) {
  expect_unusable(simulate("extern \"C\" void glutInit(int*, char**);\n"
                           "int main(int n, char** v) { glutInit(&n, v); }\n"),
                  "`glutInit`, a function of GLUT");
}

TEST_F(Simulate, a_kernel_that_waits_for_the_host_is_not_endless) {
  simulate(R"(
__global__ void wait(volatile int* go) { while (*go == 0) {} }
int main() {
  int* go;
  cudaMallocManaged(&go, sizeof(int));
  *go = 0;
  wait<<<1, 1>>>(go);
  *(volatile int*)go = 1;
  cudaDeviceSynchronize();
  cudaFree(go);
}
)");
  EXPECT_EQ(finding("unsupported")["line"], 2) << result();
  EXPECT_EQ(finding("endless_loop"), nlohmann::json()) << result();
}

TEST_F(Simulate, a_file_of_c_is_compiled_as_c) {
  write("fill.c", R"(
#include <stdlib.h>
#include <cuda_runtime.h>
int* fill(int n) {
  int* class = malloc(n * sizeof *class);
  for (int i = 0; i < n; ++i) class[i] = i;
  struct cudaDeviceProp prop;
  return cudaGetDeviceProperties(&prop, 0) == cudaSuccess && prop.warpSize == 32 ? class : NULL;
}
)");
  write("main.cu", R"(
extern "C" int* fill(int n);
int main() {
  int* values = fill(4);
  printf("last %d\n", values[3]);
  free(values);
}
)");
  const Child child = run({"main.cu", "fill.c", "--schedules", "0"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("last 3\n"));
}

TEST_F(Simulate, a_texture_reference_is_refused_with_what_to_write) {
  expect_unusable(simulate("texture<float, 1, cudaReadModeElementType> image;\nint main() {}\n"),
                  "texture references were removed in CUDA 12, write a texture object");
}

TEST_F(Simulate, a_wait_of_a_kernel_for_its_children_is_refused_with_what_to_write) {
  expect_unusable(
      simulate("__global__ void child() {}\n"
               "__global__ void parent() {\n"
               "  child<<<1, 1>>>();\n"
               "  cudaDeviceSynchronize();\n"
               "}\n"
               "int main() { parent<<<1, 1>>>(); }\n"),
      "call to cudaDeviceSynchronize: removed in CUDA 12, write a second kernel that is launched");
}

}  // namespace
}  // namespace warpmark
