// What programs made by the stand-in for nvcc do when they run without checks.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/nvcc/project_fixture.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

constexpr const char* kModule = R"(struct Pair { int a, b; };
__constant__ int step = 2;
extern "C" __global__ void fill(char first, int* out, Pair pair) { out[threadIdx.x] = first + step * pair.a + pair.b; }
)";

TEST_F(Project, device_code_that_a_program_loads) {
  write("module.cu", kModule);
  write("main.cpp", R"(#include <cuda.h>
#include <cstdio>
int main(int, char** arguments) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction fill, none; CUdeviceptr out, step; size_t bytes;
  cuInit(0); cuDeviceGet(&device, 0); cuCtxCreate(&context, 0, device);
  if (cuModuleLoad(&module, arguments[1]) != CUDA_SUCCESS || cuModuleGetFunction(&fill, module, "fill") != CUDA_SUCCESS) return 1;
  if (cuModuleGetFunction(&none, module, "none") != CUDA_ERROR_NOT_FOUND) return 2;
  if (cuModuleGetGlobal(&step, &bytes, module, "step") != CUDA_SUCCESS || bytes != 4) return 3;
  cuMemAlloc(&out, 4);
  int five = 5; cuMemcpyHtoD(step, &five, 4);
  int value; int pair[2] = {100, 7}; char first = 1;
  void* values[] = {&first, &out, pair};
  cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr);
  cuMemcpyDtoH(&value, out, 4); printf("%d ", value);
  struct { char first; CUdeviceptr out; int pair[2]; } buffer{2, out, {10, 8}}; size_t size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra);
  cuMemcpyDtoH(&value, out, 4); printf("%d\n", value);
  cuMemFree(out);
  return cuModuleUnload(module);
}
)");
  good(
      "$WARPMARK nvcc -fatbin module.cu && $WARPMARK nvcc -ptx module.cu && "
      "$WARPMARK nvcc -o app main.cpp -lcuda");
  EXPECT_EQ(good("./app module.fatbin && ./app module.ptx"), "508 60\n508 60\n");
  EXPECT_EQ(shell("./app main.cpp").status, 1) << "no device code";
  EXPECT_THAT(shell("$WARPMARK run --quick ./app -- module.fatbin").output, HasSubstr("508 60"));
}

TEST_F(Project, device_code_that_a_program_compiles) {
  write("main.cpp", R"(#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <vector>
int main() {
  const char* source = "#include \"factor.h\"\n"
                       "template <class T> __global__ void scale(T* x) { *x *= FACTOR; }\n";
  const char *header = "#define FACTOR 21\n", *header_name = "factor.h", *option = "--gpu-architecture=compute_80";
  nvrtcProgram wrong, program; const char* name; size_t bytes;
  nvrtcCreateProgram(&wrong, "__global__ void wrong() { unknown(); }", "wrong.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(wrong, 1, &option) != NVRTC_ERROR_COMPILATION) return 1;
  nvrtcGetProgramLogSize(wrong, &bytes);
  std::vector<char> log(bytes); nvrtcGetProgramLog(wrong, log.data()); puts(log.data());
  nvrtcDestroyProgram(&wrong);
  nvrtcCreateProgram(&program, source, "scale.cu", 1, &header, &header_name);
  nvrtcAddNameExpression(program, "scale<float>");
  if (nvrtcCompileProgram(program, 1, &option) != NVRTC_SUCCESS) return 2;
  if (nvrtcGetLoweredName(program, "scale<float>", &name) != NVRTC_SUCCESS) return 3;
  nvrtcGetPTXSize(program, &bytes);
  std::vector<char> ptx(bytes); nvrtcGetPTX(program, ptx.data());
  CUmodule module; CUfunction scale; CUdeviceptr x; float value = 2;
  cuInit(0); cuModuleLoadData(&module, ptx.data());
  if (cuModuleGetFunction(&scale, module, name) != CUDA_SUCCESS) return 4;
  nvrtcDestroyProgram(&program);
  cuMemAlloc(&x, 4); cuMemcpyHtoD(x, &value, 4);
  void* values[] = {&x};
  cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr);
  cuMemcpyDtoH(&value, x, 4); printf("%g\n", value);
}
)");
  const std::string output = good("$WARPMARK nvcc -o app main.cpp -lnvrtc -lcuda && ./app");
  EXPECT_THAT(output, testing::AllOf(HasSubstr("unknown"), HasSubstr("42\n")));
}

TEST_F(Project, threads_of_openmp) {
  write("threads.cu", R"(#include <cstdio>
#include <omp.h>
__global__ void one(int* x) { *x = 1; }
int main() {
  int* x; cudaMalloc(&x, 4);
  omp_set_num_threads(3);
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  { one<<<1, 1>>>(x); sum += omp_get_thread_num() + 10 * omp_get_num_threads(); }
  printf("%d\n", sum);
}
)");
  write("part.cpp",
        "#include <omp.h>\nint part() { int n = 0;\n#pragma omp parallel reduction(+ : n)\n  n += 1;\n"
        "  return n; }\n");
  good("$WARPMARK nvcc -Xcompiler -fopenmp -o app threads.cu part.cpp -lgomp");
  EXPECT_EQ(good("./app"), "93\n");
  write("Makefile",
        "linked: threads.cu\n\t$(NVCC) -c -Xcompiler -fopenmp threads.cu\n\tg++ -fopenmp -o $@ threads.o "
        "-lcudart\n");
  good("$WARPMARK make");
  EXPECT_EQ(good("./linked"), "93\n");
}

TEST_F(Project, host_memory_in_use_raises_no_signal_without_checks) {
  write("pinned.cu", R"(#include <csignal>
#include <cstdio>
#include <cstdlib>
__global__ void one(int* x, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += 1; }
int main() {
  std::signal(SIGSEGV, [](int) { _Exit(9); });
  const int n = 1 << 20; int *host, *device;
  cudaMallocHost(&host, n * 4); cudaMalloc(&device, n * 4);
  cudaStream_t stream; cudaStreamCreate(&stream);
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMemcpyAsync(device, host, n * 4, cudaMemcpyHostToDevice, stream);
  one<<<1, 256, 0, stream>>>(device, n);
  cudaMemcpyAsync(host, device, n * 4, cudaMemcpyDeviceToHost, stream);
  host[0] = 5;
  cudaStreamSynchronize(stream);
  printf("%d\n", host[n - 1]);
}
)");
  EXPECT_EQ(good("$WARPMARK nvcc -o app pinned.cu && ./app"), "1048576\n");
}

TEST_F(Project, an_interrupted_program_leaves_no_device) {
  write("endless.cu", R"(#include <cstdio>
__global__ void endless(int* x) { int sum = 0; for (long i = 0; i < 1L << 50; ++i) sum = sum * 3 + clock(); *x = sum; }
int main() {
  int *x, y = 1; cudaMalloc(&x, 4); cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", y); fflush(stdout);
  endless<<<1, 1>>>(x); cudaDeviceSynchronize();
}
)");
  // The number of devices is followed by what tells this device from those of other programs.
  const std::string mark = "1 of " + folder.path().filename().string();
  const Child run =
      shell("$WARPMARK nvcc -o app endless.cu && timeout 2 ./app", {{"WARPMARK_DEVICES", mark}});
  EXPECT_EQ(run.status, 124);
  EXPECT_EQ(run.output, "0\n") << "memory that nobody wrote is zero";
  EXPECT_EQ(
      shell("for i in {1..50}; do pgrep -f -- '--device[s] " + mark + "' || exit 0; sleep 0.1; done; exit 1")
          .status,
      0);
}

TEST_F(Project, a_child_process_and_wait_see_nothing_of_the_device) {
  write("fork.cu", R"(#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
__global__ void one(int* x) { *x = 1; }
int main() {
  int* x; cudaMalloc(&x, 4); one<<<1, 1>>>(x); cudaDeviceSynchronize();
  if (wait(nullptr) != -1) puts("a child that this program did not start");
  const pid_t child = fork();
  if (child == 0) _exit(3);
  int status = 0; waitpid(child, &status, 0);
  printf("child ended with %d\n", WEXITSTATUS(status));
}
)");
  EXPECT_EQ(good("$WARPMARK nvcc -o app fork.cu && ./app | cat"), "child ended with 3\n");
}

TEST_F(Project, a_kernel_that_is_ended_is_told_without_checks) {
  write("beyond.cu", R"(#include <cstdio>
__global__ void beyond(int* x) { x[threadIdx.x] = 1; }
int main() { int* x; cudaMalloc(&x, 4); beyond<<<1, 64>>>(x); cudaDeviceSynchronize(); puts("ended"); }
)");
  const std::string output = good("$WARPMARK nvcc -o app beyond.cu && ./app");
  EXPECT_THAT(output, testing::AllOf(HasSubstr("ended"),
                                     HasSubstr("access out of bounds in kernel beyond, beyond.cu:2"),
                                     HasSubstr("warpmark run")));
}

}  // namespace
}  // namespace warpmark
