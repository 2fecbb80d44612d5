// Projects as students have them, built by their own build systems with the stand-in for nvcc.
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/sandbox/process.h"
#include "tests/nvcc/project_fixture.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kShared = R"(#pragma once
extern __constant__ int table[4];
extern __device__ int counter;
__device__ int times_ten(int i);
void set_table();
)";
constexpr const char* kMain = R"(#include <cstdio>
#include "shared.h"
__global__ void fill(int* out) { out[threadIdx.x] = times_ten(table[threadIdx.x]); atomicAdd(&counter, 1); }
int main(int argc, char** argv) {
  set_table();
  int* device; cudaMalloc(&device, 16);
  fill<<<1, 4>>>(device);
  int host[4]; cudaMemcpy(host, device, 16, cudaMemcpyDeviceToHost);
  int count; cudaMemcpyFromSymbol(&count, counter, sizeof count);
  printf("%d %d %d %d, counter %d, %d arguments\n", host[0], host[1], host[2], host[3], count, argc - 1);
  cudaFree(device);
  return argc > 1 ? atoi(argv[1]) : 0;
}
)";
constexpr const char* kTables = R"(#include "shared.h"
__constant__ int table[4];
__device__ int counter = 5;
__device__ int times_ten(int i) { return i * 10; }
)";
constexpr const char* kSetting = R"(#include "shared.h"
void set_table() { int values[4] = {1, 2, 3, 4}; cudaMemcpyToSymbol(table, values, sizeof values); }
)";
constexpr const char* kAnswer = "10 20 30 40, counter 9, 0 arguments";

constexpr const char* kSmall = R"(#include <cstdio>
__global__ void one(int* x) { *x = 1; }
int main() { int* x; cudaMallocManaged(&x, 4); one<<<1, 1>>>(x); cudaDeviceSynchronize(); printf("got %d\n", *x); cudaFree(x); }
)";

class ProjectOfFiles : public Project {
 protected:
  void write_several_files() const {
    write("include/shared.h", kShared);
    write("main.cu", kMain);
    write("tables.cu", kTables);
    write("setting.cu", kSetting);
  }
};

TEST_F(ProjectOfFiles, a_makefile_with_separate_objects) {
  write_several_files();
  // Where the machine allows no mount namespace, a Makefile has to look in PATH.
  const bool replaces = shell("bwrap --dev-bind / / --tmpfs /usr/local true").status == 0;
  write("Makefile", std::string("NVCC = ") + (replaces ? "/usr/local/cuda-11.8/bin/" : "") +
                        "nvcc -O3\n"
                        "OBJECTS = main.o tables.o setting.o\n"
                        "app: $(OBJECTS)\n\t$(NVCC) -arch=sm_70 -o $@ $^ -lcudadevrt\n"
                        "%.o: %.cu\n\t$(NVCC) -arch=sm_70 -dc -Iinclude -Xcompiler -Wall -o $@ $<\n");
  good("$WARPMARK make -j2");
  EXPECT_THAT(good("./app"), HasSubstr(kAnswer));
  EXPECT_EQ(shell("./app 7 x").status, 7) << "its own exit status";
}

TEST_F(Project, objects_that_gxx_links) {
  write("one.cu", kSmall);
  write("Makefile",
        "app: one.o other.o\n\tg++ -o $@ $^ -L$(CUDA_PATH)/lib64 -lcudart\n"
        "one.o: one.cu\n\t$(CUDA_PATH)/bin/nvcc -c $<\n"
        "other.o: other.cpp\n\tg++ -I/usr/local/cuda/include -c $<\n");
  write("other.cpp",
        "#include <cuda_runtime.h>\nint devices() { int n = 0; cudaGetDeviceCount(&n); return n; }\n");
  good("$WARPMARK make");
  EXPECT_EQ(good("./app"), "got 1\n");
}

TEST_F(ProjectOfFiles, cmake_with_the_language_cuda) {
  if (shell("command -v cmake").status != 0) GTEST_SKIP() << "not run: there is no cmake";
  write_several_files();
  write("host.cpp",
        "#include <cuda_runtime.h>\n#include <cstdio>\n"
        "int main() { int n = 0; cudaGetDeviceCount(&n); printf(\"%d devices\\n\", n); }\n");
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.18)\nproject(students LANGUAGES CXX "
        "CUDA)\nfind_package(CUDAToolkit REQUIRED)\n"
        "add_executable(app main.cu tables.cu setting.cu)\ntarget_include_directories(app PRIVATE include)\n"
        "set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)\n"
        "add_executable(host host.cpp)\ntarget_link_libraries(host CUDA::cudart CUDA::cublas)\n");
  EXPECT_THAT(good("$WARPMARK cmake -B build"), HasSubstr("NVIDIA 13.0"));
  good("$WARPMARK cmake --build build");
  EXPECT_THAT(good("build/app"), HasSubstr(kAnswer));
  EXPECT_EQ(good("build/host"), "1 devices\n");
}

TEST_F(Project, cmake_with_the_old_package_cuda) {
  if (shell("cmake -E cat /usr/share/cmake*/Modules/FindCUDA.cmake").status != 0)
    GTEST_SKIP() << "not run: there is no cmake with FindCUDA";
  write("one.cu", kSmall);
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.5)\nproject(old CXX)\nfind_package(CUDA REQUIRED)\n"
        "cuda_add_executable(app one.cu)\n");
  good("$WARPMARK cmake -B build && $WARPMARK cmake --build build");
  EXPECT_EQ(good("build/app"), "got 1\n");
}

TEST_F(Project, meson) {
  if (shell("command -v meson && command -v ninja").status != 0) GTEST_SKIP() << "not run: there is no meson";
  write("one.cu", kSmall);
  write("meson.build", "project('students', ['cpp', 'cuda'])\nexecutable('app', 'one.cu')\n");
  good("eval \"$($WARPMARK env)\" && meson setup build && ninja -C build");
  EXPECT_EQ(good("build/app"), "got 1\n");
}

TEST_F(Project, what_nvcc_is_asked_for_help) {
  EXPECT_THAT(good("$WARPMARK nvcc -h"), HasSubstr("warpmark nvcc --help"));
  EXPECT_THAT(good("$WARPMARK nvcc --help"), HasSubstr("Usage:"));
}

TEST_F(Project, a_shell_in_which_nvcc_is_the_stand_in) {
  write("one.cu", kSmall);
  const std::string output =
      good("eval \"$($WARPMARK env)\" && nvcc --version && nvcc -o app one.cu && ./app");
  EXPECT_THAT(output, HasSubstr("release 13.0"));
  EXPECT_THAT(output, HasSubstr("got 1"));
}

TEST_F(Project, the_stand_in_is_no_toolkit_to_grade_with) {
  std::string nvcc = good("eval \"$($WARPMARK env)\" && echo -n $NVCC");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (std::filesystem::path(nvcc).parent_path().string() + ":" + before).c_str(), 1);
  ::setenv("WARPMARK_NVCC", nvcc.c_str(), 1);
  EXPECT_FALSE(build::find_toolchain(Engine::gpu).has_value());
  ::unsetenv("WARPMARK_NVCC");
  const auto found = build::find_toolchain(Engine::gpu);
  ::setenv("PATH", before.c_str(), 1);
  if (found) {
    EXPECT_NE(found->compiler, nvcc);
  }
}

TEST_F(Project, shared_libraries_and_archives) {
  write("one.cu",
        "__global__ void one(int* x) { *x = 1; }\nextern \"C\" int run() { int* x; cudaMalloc(&x, 4); "
        "one<<<1, 1>>>(x); int y; cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost); return y; }\n");
  write("main.cpp", "extern \"C\" int run();\nint main() { return run(); }\n");
  good("$WARPMARK nvcc -lib -o libone.a one.cu && $WARPMARK nvcc -o static main.cpp libone.a");
  EXPECT_EQ(shell("./static").status, 1);
  good("$WARPMARK nvcc -shared -Xcompiler -fPIC -o libone.so one.cu && g++ main.cpp -o dynamic ./libone.so");
  EXPECT_EQ(shell("./dynamic").status, 1);
}

TEST_F(Project, preprocessed_text_dependencies_and_ptx) {
  write("include/part.h", "#define PART 17\n");
  write("one.cu", "#include \"part.h\"\n__global__ void one(int* x) { *x = PART; }\n");
  EXPECT_THAT(good("$WARPMARK nvcc -E -Iinclude one.cu | tail -n 5"), HasSubstr("*x = 17"));
  EXPECT_THAT(good("$WARPMARK nvcc -MM -Iinclude one.cu"), HasSubstr("include/part.h"));
  good("$WARPMARK nvcc -c -MMD -Iinclude one.cu -o one.o");
  EXPECT_THAT(good("cat one.d"), testing::AllOf(HasSubstr("one.o:"), HasSubstr("include/part.h"),
                                                Not(HasSubstr("cuda_runtime"))));
  good("$WARPMARK nvcc -ptx -Iinclude one.cu");
  EXPECT_THAT(good("cat one.ptx"), HasSubstr(".visible .entry"));
}

TEST_F(Project, checks_are_turned_on_by_a_command_or_a_variable) {
  write("race.cu", R"(#include <cstdio>
__global__ void sum(int* x) { *x += 1; }
int main() { int* x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); sum<<<1, 64>>>(x); cudaDeviceSynchronize(); cudaFree(x); puts("ended"); }
)");
  good("$WARPMARK nvcc -o race race.cu");
  EXPECT_EQ(good("./race"), "ended\n");
  const Child run = shell("$WARPMARK run --quick ./race 3 4");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.output, testing::AllOf(HasSubstr("race.cu:2"), HasSubstr("race")));
  EXPECT_THAT(shell("./race", {{"WARPMARK_CHECK", "1"}}).output, HasSubstr("race.cu:2"));
  EXPECT_THAT(shell("$WARPMARK run --thorough ./race").output, HasSubstr("active lanes"));
  EXPECT_EQ(shell("$WARPMARK run --quick --thorough ./race").status, 2);
}

TEST_F(Project, what_does_not_compile_is_told_with_its_line) {
  write("bad.cu", "__global__ void one(int* x) {\n  *x = unknown;\n}\n");
  const Child child = shell("$WARPMARK nvcc -c bad.cu");
  EXPECT_EQ(child.status, 1);
  EXPECT_THAT(child.output, testing::AllOf(HasSubstr("bad.cu:2"), HasSubstr("unknown")));
  EXPECT_THAT(shell("$WARPMARK nvcc -c none.cu").output, HasSubstr("Could not open input file 'none.cu'"));
  write("common/deep/part.h", "");
  write("src/far.cu", "#include <deep/part.h>\n__global__ void one() {}\n");
  EXPECT_THAT(shell("$WARPMARK nvcc -c src/far.cu").output, HasSubstr("add -Icommon"));
  EXPECT_EQ(shell("test -e bad.o").status, 1) << "nothing is left behind";
}

TEST_F(ProjectOfFiles, a_folder_is_simulated_by_its_makefile_or_by_its_files) {
  write_several_files();
  EXPECT_THAT(good("$WARPMARK simulate --quick ."),
              testing::AllOf(HasSubstr("warpmark simulate main.cu setting.cu tables.cu -I include"),
                             HasSubstr(kAnswer)));
  write("Makefile",
        "app:\n\tnvcc -rdc=true -Iinclude -o app main.cu tables.cu setting.cu\n"
        "other: app\n\tcp app other\nall: app other\n.DEFAULT_GOAL = all\n");
  const Child two = shell("$WARPMARK simulate --quick .");
  EXPECT_EQ(two.status, 2);
  EXPECT_THAT(two.output, HasSubstr("--target: app, other"));
  const Child one = shell("cd / && $WARPMARK simulate --quick --target other $OLDPWD -- 4");
  EXPECT_EQ(one.status, 4) << one.output;
  EXPECT_THAT(one.output, HasSubstr("1 arguments"));
}

}  // namespace
}  // namespace warpmark
