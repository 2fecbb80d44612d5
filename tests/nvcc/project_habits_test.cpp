// What published projects' build files expect of a CUDA installation, beside nvcc.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/nvcc/project_fixture.h"

namespace warpmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Habits : public Project {};

constexpr const char* kWithStrings = R"(#include <iostream>
#include <memory>
#include <string>
#include <cuda_runtime.h>
int devices() { int n = 0; cudaGetDeviceCount(&n); return n; }
)";

TEST_F(Habits, the_folder_of_headers_is_given_again) {
  write("main.cu", std::string(kWithStrings) +
                       "#include <cub/cub.cuh>\n#include <cuda/std/array>\n__global__ void k() {}\n"
                       "int main() { k<<<1, 1>>>(); std::string s = \"devices: \"; "
                       "std::cout << s << devices() << cudaDeviceSynchronize() << '\\n'; }\n");
  write("host.cpp",
        std::string(kWithStrings) + "std::string name() { return std::string(devices(), 'a'); }\n");
  write("Makefile",
        "INCLUDES = -I$(CUDA_PATH)/include -I$(CUDA_PATH)/include/cccl -isystem "
        "$(CUDA_HOME)/targets/x86_64-linux/include\n"
        "app: main.cu host.cpp\n"
        "\tg++ $(INCLUDES) -c host.cpp\n"
        "\tnvcc $(INCLUDES) -c host.cpp -o second.o\n"
        "\tnvcc $(INCLUDES) -o app main.cu -lcudart\n");
  good("$WARPMARK make");
  EXPECT_EQ(good("./app"), "devices: 10\n");
}

TEST_F(Habits, host_files_of_c) {
  write("main.c",
        "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <stdio.h>\nint run(void);\n"
        "int main(void) {\n  int2 pair = make_int2(3, 4);\n  float4 four = make_float4(1, 2, 3, 4);\n"
        "  dim3 grid = {1, 2, 3};\n  cudaStream_t stream;\n  if (cudaStreamCreate(&stream) != cudaSuccess) "
        "return 1;\n"
        "  printf(\"%d %g %u %d\\n\", pair.y, four.w, grid.z, run());\n  return 0;\n}\n");
  write("kernel.cu", "extern \"C\" int run(void) { return 5; }\n");
  write("Makefile",
        "app: main.o kernel.o\n\tgcc -o app main.o kernel.o -L$(CUDA_PATH)/lib64 -lcudart -lstdc++\n"
        "main.o: main.c\n\tgcc -std=c99 -Wall -Wextra -pedantic -Werror -I$(CUDA_PATH)/include -c main.c\n"
        "kernel.o: kernel.cu\n\tnvcc -c kernel.cu\n");
  good("$WARPMARK make");
  EXPECT_EQ(good("./app"), "4 4 3 5\n");
}

TEST_F(Habits, host_files_of_cpp_get_no_warnings_of_ours) {
  write("host.cpp", std::string(kWithStrings) +
                        "float2 twice(float2 v) { float2 w; w = v; w.x += v.x; return w; }\n"
                        "int main() { return static_cast<int>(twice(make_float2(1, 2)).x); }\n");
  write("Makefile", "app:\n\tg++ -Wall -Wextra -Werror -I$(CUDA_PATH)/include -o app host.cpp -lcudart\n");
  good("$WARPMARK make");
  EXPECT_EQ(shell("./app").status, 2);
}

TEST_F(Habits, thrust_in_a_file_that_the_compiler_of_the_host_compiles) {
  if (shell("echo '#include <thrust/version.h>' | g++ -x c++ -fsyntax-only -").status != 0)
    GTEST_SKIP() << "not run: Thrust is not installed for all compilers";
  write("main.cpp", R"(#include <thrust/device_ptr.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <cstdio>
int main() {
  int* memory = nullptr;
  const int values[] = {3, 1, 2};
  cudaMalloc(&memory, sizeof values);
  cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
  thrust::device_ptr<int> device(memory);
  thrust::host_vector<int> host(device, device + 3);
  thrust::sort(host.begin(), host.end());
  thrust::copy(host.begin(), host.end(), device);
  int back[3];
  cudaMemcpy(back, memory, sizeof back, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", back[0], back[1], back[2]);
#ifdef ON_THE_GPU
  thrust::sort(device, device + 3);
#endif
}
)");
  write("Makefile", "app:\n\tg++ $(FLAGS) -o app main.cpp -lcudart\n");
  good("$WARPMARK make");
  EXPECT_EQ(good("./app"), "1 2 3\n");
  EXPECT_THAT(shell("$WARPMARK make -B FLAGS=-DON_THE_GPU").output, HasSubstr("compile this file with nvcc"));
}

TEST_F(Habits, cmake_files_of_old_policies) {
  if (shell("cmake --version | grep -q 'version 3'").status != 0)
    GTEST_SKIP() << "not run: there is no CMake 3";
  write("one.cu",
        "#include <cstdio>\nint main() { int n = 0; cudaGetDeviceCount(&n); printf(\"%d\\n\", n); }\n");
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 2.8)\nproject(old)\nfind_package(CUDA REQUIRED)\n"
        "set(CUDA_SEPARABLE_COMPILATION ON)\ncuda_add_executable(app one.cu)\n"
        "cuda_add_cublas_to_target(app)\n");
  good("$WARPMARK cmake -B build && $WARPMARK cmake --build build");
  EXPECT_EQ(good("build/app"), "1\n");
}

TEST_F(Habits, folders_of_headers_by_variable) {
  write("elsewhere/part.h", "#define PART 3\n");
  write("one.cu", "#include <part.h>\n__global__ void k() {}\nint main() { return PART; }\n");
  write("Makefile", "app: one.cu\n\tnvcc -o app one.cu\n");
  const Child built = shell("CPATH=$PWD/elsewhere $WARPMARK make");
  EXPECT_EQ(built.status, 0) << built.output;
  EXPECT_EQ(shell("./app").status, 3);
  good("CPLUS_INCLUDE_PATH=$PWD/elsewhere $WARPMARK nvcc -c one.cu");
}

TEST_F(Habits, mpi_in_a_header_of_the_project) {
  if (shell("command -v mpicxx").status != 0) GTEST_SKIP() << "not run: there is no MPI";
  write("include/all.h", "#include <mpi.h>\n");
  write("src/part.h", "#include \"all.h\"\n");
  write("src/kernel.cu", "#include \"part.h\"\n__global__ void k(MPI_Comm) {}\n");
  good("$WARPMARK nvcc -Iinclude -c src/kernel.cu");
}

TEST_F(Habits, nvidia_smi_is_asked_for_the_architecture) {
  write("Makefile",
        "HAS_GPU := $(shell nvidia-smi >/dev/null 2>&1 && echo yes)\n"
        "ARCH := sm_$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)\n"
        "all:\n\t@echo gpu $(HAS_GPU) $(ARCH)\n");
  EXPECT_THAT(good("$WARPMARK make"), HasSubstr("gpu yes sm_80"));
  const std::string in_shell = "eval \"$($WARPMARK env)\" && nvidia-smi ";
  EXPECT_EQ(good(in_shell + "--query-gpu=index,name,memory.total --format=csv"),
            "index, name, memory.total\n0, Warpmark simulator, 16384 MiB\n");
  EXPECT_EQ(shell(in_shell + "-L | wc -l", {{"WARPMARK_DEVICES", "3"}}).output, "3\n");
  EXPECT_THAT(shell("eval \"$($WARPMARK env)\" && $WARPMARK doctor").output,
              testing::Not(HasSubstr("Warpmark simulator")))
      << "the driver's nvidia-smi is asked for GPUs to grade with";
  EXPECT_EQ(shell(in_shell + "--query-gpu=fan.speed").status, 2)
      << "as the driver's does with an unknown field";
}

TEST_F(Habits, headers_of_the_samples_without_their_folder) {
  write("one.cu",
        "#include <cstdio>\n#include <helper_cuda.h>\n#include <helper_functions.h>\n"
        "int main() { checkCudaErrors(cudaSetDevice(0)); char text[9]; SPRINTF(text, \"%s\", \"found\"); "
        "if (STRCASECMP(text, \"FOUND\") == 0) puts(text); }\n");
  write("host.cpp", "#include <cuda_runtime.h>\n#include <helper_cuda.h>\nint main() {}\n");
  EXPECT_EQ(good("$WARPMARK nvcc -o app one.cu && ./app"), "found\n");
  EXPECT_THAT(good("$WARPMARK simulate --quick one.cu"), HasSubstr("found"));
  write("Makefile", "host:\n\tg++ -o host host.cpp -lcudart\n");
  good("$WARPMARK make");
  write("own/helper_cuda.h", "#error the project's own\n");
  EXPECT_THAT(shell("$WARPMARK nvcc -Iown -o app one.cu").output, HasSubstr("the project's own"));
}

TEST_F(Habits, old_toolkits_by_their_path) {
  if (shell("bwrap --dev-bind / / --tmpfs /usr/local true").status != 0)
    GTEST_SKIP() << "not run: this machine allows no mount namespace";
  write("Makefile", "all:\n\t/usr/local/cuda-5.0/bin/nvcc --version\n");
  EXPECT_THAT(good("$WARPMARK make"), HasSubstr("release 13.0"));
}

}  // namespace
}  // namespace warpmark
