// `warpmark simulate` on programs good and bad: what it prints and what it writes.
#include <array>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/simulate_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char kTwice[] = R"(
#include <cstdio>
#include <cstdlib>
__global__ void twice(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100, factor = 1, h[1000];
  if (scanf("%d", &factor) != 1) factor = 1;
  for (int i = 0; i < n; ++i) h[i] = factor * i;
  int* d;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<(n + 31) / 32, 32>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("last %d\n", h[n - 1]);
  cudaFree(d);
  return argc > 2 ? atoi(argv[2]) : 0;
}
)";

TEST_F(Simulate, a_good_program_has_no_finding_and_its_output_is_shown) {
  write("a.cu", kTwice);
  const Child child = run({"a.cu"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("last 198\n"), HasSubstr("no findings"), HasSubstr("2 runs"),
                                  HasSubstr("twice"), HasSubstr("4 x 32")));
  const json all = result();
  EXPECT_EQ(all["schema"], "warpmark.simulation/1");
  EXPECT_EQ(all["exit"], 0);
  EXPECT_EQ(all["findings"], json::array());
  ASSERT_EQ(all["launches"].size(), 1U);
  EXPECT_EQ(all["launches"][0]["kernel"], "twice");
  EXPECT_EQ(all["launches"][0]["grid"], json({4, 1, 1}));
  ASSERT_EQ(all["transfers"].size(), 2U);
  EXPECT_EQ(all["transfers"][0]["direction"], "host_to_device");
  EXPECT_EQ(all["transfers"][0]["bytes"], 400);
  EXPECT_EQ(all["runs"].size(), 2U) << "its accesses do not depend on the order";
}

TEST_F(Simulate, arguments_behind_two_dashes_and_the_exit_status_are_the_programs) {
  const Child child = simulate(kTwice, {"--", "50", "7"});
  EXPECT_EQ(child.status, 7) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("last 98\n"), HasSubstr("no findings")));
  EXPECT_EQ(result()["exit"], 7);
}

TEST_F(Simulate, every_run_reads_the_same_input) {
  write("a.cu", kTwice);
  write("input", "3\n");
  const std::string command = std::string(WARPMARK_CLI) + " simulate a.cu --json out.json <input";
  const char* path = std::getenv("PATH");
  const Child child = run_child({"/bin/sh", "-c", command}, {{"PATH", path}}, folder.path());
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("last 594\n"), HasSubstr("no findings")));
  EXPECT_EQ(result()["runs"].size(), 2U);
}

// A program that launches in `body`, between the calls that set memory and fetch it.
std::string launching(const std::string& kernel, const std::string& body) {
  return "#include <cstdio>\n" + kernel + R"(
int main() {
  int h[64] = {}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
)" + body +
         R"(
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d);
}
)";
}

TEST_F(Simulate, other_orders_are_tried_where_something_shows_the_order) {
  const std::string each = "__global__ void k(int* a) { a[threadIdx.x] += 1; }\n";
  const std::string atomic = "__global__ void k(int* a) { atomicAdd(a, 1); }\n";
  const std::string flag = "__global__ void k(volatile int* a) { a[threadIdx.x] = 1; }\n";
  const std::string launch = "k<<<1, 64>>>(d);";
  const std::string in_stream =
      "cudaStream_t s; cudaStreamCreate(&s); k<<<1, 64, 0, s>>>(d); cudaStreamDestroy(s);";
  const std::string pinned = "int* p; cudaMallocHost(&p, 4); k<<<1, 64>>>(d); cudaFreeHost(p);";
  const std::array cases{
      std::tuple(each, launch, 2U),    std::tuple(atomic, launch, 3U), std::tuple(flag, launch, 3U),
      std::tuple(each, in_stream, 3U), std::tuple(each, pinned, 3U),
  };
  for (const auto& [kernel, body, runs] : cases) {
    write("a.cu", launching(kernel, body));
    const Child child = run({"a.cu", "--schedules", "1"});
    EXPECT_EQ(child.status, 0) << child.output;
    EXPECT_EQ(result()["runs"].size(), runs) << kernel << body;
  }
}

TEST_F(Simulate, a_finding_shows_its_kernel_and_line_and_fails) {
  const Child child = simulate(R"(
__global__ void past(int* a) {
  a[threadIdx.x] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 31 * sizeof(int));
  past<<<1, 32>>>(d);
  cudaDeviceSynchronize();
}
)");
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("access out of bounds in kernel past, a.cu:3"),
                                  HasSubstr("a[threadIdx.x] = 1;"), HasSubstr("1 finding")));
  EXPECT_EQ(finding("out_of_bounds")["line"], 3);
  EXPECT_EQ(finding("leak"), json()) << "after a fatal error nothing can be freed";
}

TEST_F(Simulate, several_files_are_one_program) {
  write("main.cu", "int run(int);\nint main() { return run(3) == 6 ? 0 : 9; }\n");
  write("run.cu", R"(
#include "factor.h"
__global__ void k(int* a) { *a *= FACTOR * SIGN; }
int run(int x) {
  int* d;
  cudaMalloc(&d, sizeof x);
  cudaMemcpy(d, &x, sizeof x, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d);
  cudaMemcpy(&x, d, sizeof x, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return x;
}
)");
  fs::create_directory(folder.path() / "include");
  write("include/factor.h", "#define FACTOR 2\n");
  const Child child = run({"main.cu", "run.cu", "-I", "include", "-D", "SIGN=1", "--schedules", "0"});
  EXPECT_EQ(child.status, 0) << child.output;
  expect_unusable(run({"main.cu", "--schedules", "0"}), "undefined reference to `run(int)`");
}

// As with nvcc -rdc=true. The last file has nothing that the host could ask for.
TEST_F(Simulate, device_functions_are_linked_across_files) {
  write("main.cu", R"(#include <cstdio>
__device__ int twice(int x);
static __device__ int helper(int x) { return x + 1; }
__global__ void k(int* out) { out[threadIdx.x] = helper(twice(threadIdx.x)); }
int calls_so_far();
int main() {
  int* d;
  int h[32];
  cudaMalloc(&d, sizeof h);
  k<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  std::printf("%d, %d calls\n", h[5], calls_so_far());
}
)");
  write("twice.cu", R"(
__device__ int calls = 0;
__device__ int third(int* x);
static __device__ int helper(int x) { return 100 * x; }
__device__ int twice(int x) {
  atomicAdd(&calls, 1);
  return 2 * x + helper(x) + third(&x);
}
int calls_so_far() {
  int calls_on_the_host;
  cudaMemcpyFromSymbol(&calls_on_the_host, calls, sizeof calls_on_the_host);
  return calls_on_the_host;
}
)");
  write("third.cu", "__device__ int third(int* x) { return 10000 * *x; }\n");
  const Child good = run({"main.cu", "twice.cu", "third.cu", "--schedules", "0"});
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_THAT(good.output, HasSubstr("50511, 32 calls"));

  write("third.cu", "__device__ int third(int* x) {\n  return x[1 << 20];\n}\n");
  const Child bad = run({"main.cu", "twice.cu", "third.cu", "--schedules", "0"});
  EXPECT_EQ(bad.status, 1) << bad.output;
  EXPECT_EQ(finding("out_of_bounds")["file"], "third.cu");
  EXPECT_EQ(finding("out_of_bounds")["line"], 2);

  const Child missing = run({"main.cu", "twice.cu", "--schedules", "0"});
  EXPECT_EQ(missing.status, 1) << missing.output;
  EXPECT_THAT(finding("unsupported").value("message", ""), HasSubstr("third"));
}

TEST_F(Simulate, findings_about_host_code_have_their_line) {
  const Child child = simulate(R"(__global__ void k() {}
int main() {
  int h[4] = {}, *d;
  cudaMalloc(&d, 8);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(h, d, 8, cudaMemcpyHostToDevice);
  cudaFree(d + 1);
  cudaFree(h);
  cudaFree(d);
  cudaFree(d);
  cudaMalloc(&d, 24);
  k<<<1, 2000>>>();
}
)");
  EXPECT_EQ(child.status, 1) << child.output;
  std::vector<std::pair<std::string, int>> found;
  const json all = result();
  for (const json& each : all["findings"]) found.emplace_back(each["kind"], each["line"]);
  EXPECT_THAT(found, testing::ElementsAre(std::pair("bad_copy", 5), std::pair("bad_copy", 6),
                                          std::pair("cuda_error", 7), std::pair("cuda_error", 8),
                                          std::pair("use_after_free", 10), std::pair("leak", 11),
                                          std::pair("unchecked_error", 12)))
      << child.output;
}

TEST_F(Simulate, notes_alone_do_not_fail) {
  const Child child = simulate("int main() { char* d; cudaMalloc(&d, 24); }\n");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(finding("leak")["message"].get<std::string>(), HasSubstr("24 bytes of cudaMalloc"));
  EXPECT_THAT(child.output, HasSubstr("no findings, 1 note"));
}

TEST_F(Simulate, memory_is_given_back_as_it_was_taken) {
  const auto advice = [&](const std::string& statement) {
    simulate("int main() {\n  float* values;\n  " + statement + "\n}\n");
    return finding("leak")["message"].get<std::string>();
  };
  EXPECT_THAT(advice("cudaMalloc(&values, 64);"), HasSubstr("call cudaFree when"));
  EXPECT_THAT(advice("cudaMallocHost(&values, 64);"), HasSubstr("call cudaFreeHost"));
}

TEST_F(Simulate, errors_that_were_asked_for_are_no_findings) {
  const Child child = simulate(R"(
__global__ void k() {}
int main() {
  char* d;
  if (cudaMalloc(&d, size_t{1} << 45) == cudaSuccess) return 3;
  if (cudaGetLastError() != cudaErrorMemoryAllocation) return 4;
  k<<<1, 2000>>>();
  return cudaGetLastError() == cudaSuccess;
}
)");
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_EQ(result()["findings"], json::array());
}

TEST_F(Simulate, an_answer_that_depends_on_the_order_is_told_and_a_time_is_not) {
  write("a.cu", R"(
#include <cstdio>
#include <time.h>
__global__ void last(int* a) { atomicExch(a, blockIdx.x); }
int main() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%ld.%ld\n", now.tv_sec, now.tv_nsec);
  int *d, h;
  cudaMalloc(&d, 4);
  last<<<64, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("last %d\n", h);
}
)");
  const Child child = run({"a.cu"});
  EXPECT_THAT(
      finding("schedule_dependent")["message"].get<std::string>(),
      AllOf(HasSubstr("line 2 of the output is \"last "), HasSubstr("must not depend on which block")))
      << child.output;
  EXPECT_EQ(finding("schedule_dependent")["severity"], "note");
}

TEST_F(Simulate, a_program_that_does_not_compile_says_where) {
  expect_unusable(simulate("int main() { return x; }\n"), "a.cu:1");
  EXPECT_EQ(finding("compile_error")["line"], 1);
}

TEST_F(Simulate, a_missing_header_is_named) {
  expect_unusable(simulate("#include \"gone.h\"\nint main() {}\n"), "'gone.h' file not found");
}

TEST_F(Simulate, a_function_that_is_not_simulated_is_named) {
  expect_unusable(simulate("int main() { cudaIpcMemHandle_t handle; }\n"),
                  "cudaIpcMemHandle_t is not simulated");
  EXPECT_EQ(finding("unsupported")["line"], 1);
}

TEST_F(Simulate, a_program_without_main_says_so) {
  expect_unusable(simulate("int helper() { return 1; }\n"), "a.cu has no main function");
}

TEST_F(Simulate, files_that_are_no_program_are_unusable) {
  write("empty.cu", "\n");
  write("notes.txt", "int main() {}\n");
  expect_unusable(run({"gone.cu"}), "gone.cu: there is no such file");
  expect_unusable(run({"empty.cu"}), "empty.cu is empty");
  expect_unusable(run({"notes.txt"}), "notes.txt is no CUDA program");
  EXPECT_EQ(run({"."}).status, 2);
  EXPECT_THAT(run({"."}).output, HasSubstr(". has no CUDA program: no file defines main"));
  EXPECT_THAT(run({".", "empty.cu"}).output, HasSubstr(". is a folder"));
}

TEST_F(Simulate, one_finding_a_pair_of_lines_however_many_runs_see_it) {
  write("a.cu",
        "__global__ void k(int* a) { a[threadIdx.x + blockIdx.x] = 1; }\n"
        "int main() { int* d; cudaMalloc(&d, 4); k<<<9, 64>>>(d); cudaDeviceSynchronize(); }\n");
  const Child child = run({"a.cu"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_EQ(result()["findings"].size(), 1U) << result()["findings"].dump(2);
  EXPECT_EQ(finding("out_of_bounds").value("seen", ""), "");
}

TEST_F(Simulate, is_plain_text_when_nobody_watches) {
  EXPECT_THAT(simulate("int main() {}\n").output, Not(HasSubstr("\033")));
}

TEST_F(Simulate, options_that_make_no_sense_are_unusable) {
  write("a.cu", "int main() {}\n");
  EXPECT_EQ(run({"a.cu", "--schedules", "-1"}).status, 2);
  EXPECT_EQ(run({"a.cu", "--timeout", "0"}).status, 2);
  EXPECT_EQ(run({"a.cu", "-I", "nowhere"}).status, 2);
  EXPECT_EQ(run({}).status, 2);
  const Child child = run({"--help"});
  EXPECT_EQ(child.status, 0);
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("--schedules"), HasSubstr("Arguments after --"), HasSubstr("Exit status")));
}

}  // namespace
}  // namespace warpmark
