// `warpmark simulate` on programs that crash, or would not end, or want more than the machine has.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/simulate_fixture.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

TEST_F(Simulate, a_crash_has_its_line_and_status) {
  const Child child = simulate("int main() {\n  int* volatile p = nullptr;\n  return *p;\n}\n");
  EXPECT_EQ(child.status, 128 + 11) << child.output;
  EXPECT_EQ(finding("crashed")["line"], 3);
  EXPECT_THAT(finding("crashed")["message"].get<std::string>(), HasSubstr("a null pointer"));
}

TEST_F(Simulate, host_code_that_reads_device_memory_has_its_line) {
  const Child child = simulate("int main() {\n  int* d;\n  cudaMalloc(&d, 4);\n  return *d;\n}\n");
  EXPECT_EQ(child.status, 128 + 11) << child.output;
  EXPECT_EQ(finding("device_pointer")["line"], 4);
}

TEST_F(Simulate, an_exit_in_the_middle_loses_nothing) {
  const Child child = simulate(R"(
#include <unistd.h>
__global__ void k(int* a) { a[1] = 1; }
int main() {
  int* d;
  cudaMalloc(&d, 4);
  k<<<1, 1>>>(d);
  _exit(3);
}
)");
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_EQ(finding("out_of_bounds")["line"], 3);
}

TEST_F(Simulate, a_program_that_runs_for_ever_is_ended) {
  const Child child =
      simulate("#include <cstdio>\nint main() { puts(\"begun\"); for (volatile int i = 0;; i = 1) {} }\n",
               {"--timeout", "1.5"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("begun"), HasSubstr("--timeout")));
  EXPECT_NE(finding("timed_out"), json());
}

TEST_F(Simulate, a_kernel_that_runs_for_ever_has_its_line) {
  const Child child = simulate(R"(
__global__ void k(volatile int* a) {
  while (a[0] == 0) {}
}
int main() {
  int* d;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  k<<<1, 1>>>(d);
  return cudaDeviceSynchronize() == cudaSuccess;
}
)");
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_EQ(finding("endless_loop")["line"], 3);
}

TEST_F(Simulate, a_launch_of_all_blocks_that_there_can_be_is_ended_soon) {
  const Child child = simulate(R"(
__global__ void k(int* a) { if (a) *a = 1; }
int main() {
  k<<<2147483647, 256>>>(nullptr);
  return cudaDeviceSynchronize() == cudaSuccess;
}
)");
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(finding("launch_limit")["message"].get<std::string>(),
              HasSubstr("2147483647 blocks of 256 threads"));
}

TEST_F(Simulate, what_waits_behind_a_kernel_that_failed_is_no_news) {
  write("a.cu", R"(
__global__ void k(int* a) {
  a[-1] = 0;
  a[threadIdx.x] = 0;
}
int main() {
  int* d;
  int host[32];
  cudaMalloc(&d, sizeof host);
  k<<<1, 32>>>(d);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
}
)");
  const Child child = run({"a.cu", "--schedules", "1"});
  EXPECT_NE(finding("out_of_bounds"), json()) << child.output;
  EXPECT_EQ(finding("uninitialised_read"), json()) << child.output;
}

TEST_F(Simulate, what_takes_long_runs_unchecked_to_its_end) {
  const Child child = simulate(R"(
#include <cstdio>
__device__ int counter;
__constant__ int step = 3;
__device__ int table[4] = {1, 2, 3, 4};
__device__ int scratch;
__global__ void add(int* out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < rounds; k++) sum += (i ^ k) & step;
  out[i] = sum;
  if (threadIdx.x == 0) atomicAdd(&counter, table[blockIdx.x % 4]);
  if (i == 256 * 255) printf("the last block\n");
}
__global__ void racy(int* out) { scratch = threadIdx.x; out[0] = scratch; }
int main() {
  const int n = 256 * 256, two = 2;
  int* out;
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpyToSymbol(step, &two, sizeof two);
  for (int i = 0; i < 3; i++) add<<<256, 256>>>(out, 2000);
  racy<<<1, 64>>>(out);
  int count, last;
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  printf("%d %d\n", count, last);
  cudaFree(out);
}
)",
                               {"--timeout", "6"});
  if (finding("timed_out") != json()) GTEST_SKIP() << "not run: the machine has no time for it";
  EXPECT_THAT(child.output, AllOf(HasSubstr("the last block\nthe last block\nthe last block\n1920 2000\n"),
                                  HasSubstr("were checked, as many as its share of the time allows")));
  EXPECT_EQ(finding("race")["line"], 15) << "a kernel of few instructions is checked behind it";
  EXPECT_EQ(result()["findings"].size(), 1U);
}

TEST_F(Simulate, host_memory_without_end_is_told) {
  const Child child = simulate(R"(
#include <cstdlib>
#include <cstring>
int main() {
  while (true) {
    char* volatile p = static_cast<char*>(malloc(1 << 24));
    memset(p, 1, 1 << 24);
  }
}
)",
                               {"--memory", "512"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(finding("memory_limit")["message"].get<std::string>(), HasSubstr("512 MiB"));
}

TEST_F(Simulate, device_memory_beyond_the_devices_is_refused_and_told) {
  const Child child =
      simulate("int main() {\n  char* d;\n  return cudaMalloc(&d, size_t{1} << 40) == cudaSuccess;\n}\n");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_EQ(finding("unchecked_error")["line"], 3) << "status 0, and nobody asked";
  EXPECT_THAT(finding("unchecked_error")["message"].get<std::string>(),
              HasSubstr("the simulated device has"));
}

TEST_F(Simulate, output_without_end_is_cut_and_told) {
  // The child's own output is capped by the test's sandbox.
  const Child child =
      simulate("#include <cstdio>\nint main() { while (true) puts(\"and on and on and on\"); }\n");
  EXPECT_EQ(child.status, 1);
  EXPECT_THAT(finding("output_limit")["message"].get<std::string>(), HasSubstr("64 MiB"));
}

TEST_F(Simulate, forks_are_followed_and_ended) {
  const Child child = simulate(R"(
#include <unistd.h>
__global__ void k(int* a) { a[1] = 1; }
int main() {
  int* d;
  cudaMalloc(&d, 4);
  if (fork() == 0) {
    k<<<1, 1>>>(d);
    pause();
  }
  cudaFree(d);
  return 0;
}
)");
  EXPECT_THAT(child.output, HasSubstr("1 process that the program had started still ran"));
  const Child bomb = simulate("#include <unistd.h>\nint main() { while (true) if (fork() == 0) pause(); }\n");
  EXPECT_EQ(bomb.status, 1) << bomb.output;
  EXPECT_NE(finding("process_limit"), json());
}

}  // namespace
}  // namespace warpmark
