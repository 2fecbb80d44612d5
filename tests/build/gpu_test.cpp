// Libraries for a GPU, built by nvcc (skipped where there is none; no device is needed).

#include <cstdio>

#include "harness/build/exports.h"
#include "harness/build/symbolize.h"
#include "tests/build/fixture.h"

namespace warpmark::build {
namespace {

using testing::Contains;
using testing::HasSubstr;

class GpuBuild : public BuildTest {
 protected:
  GpuBuild() : BuildTest(Engine::gpu) {}
};

TEST_F(GpuBuild, makes_a_library_and_finds_it_again) {
  write("a.cu", std::string("#include \"h.h\"\n") + kGood);
  write("h.h", "#define H 1\n");
  Request wanted = request("a.cu");
  wanted.exports = {"run"};
  wanted.value_type = "long long";
  const Built built = build(wanted);
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
  EXPECT_THAT(symbols_of(built.library).value().exported, Contains("run"));
  EXPECT_TRUE(build(wanted).from_cache);
  write("h.h", "#define H 2\n");
  EXPECT_FALSE(build(wanted).from_cache);
  settings.gpu_architecture = "sm_80";
  EXPECT_FALSE(build(wanted).from_cache);
}

// Sources whose host code clang may compile beside nvcc's device code, and such that nvcc has to compile
// whole.
struct HalvedCase {
  const char* name;
  const char* source;
  bool halved;
};

class Halves : public GpuBuild, public testing::WithParamInterface<HalvedCase> {};

TEST_P(Halves, are_made_of_sources_whose_halves_fit_together) {
  Result<Toolchain> clang = find_toolchain(Engine::simulator);
  if (!clang) GTEST_SKIP() << clang.error().message;
  write("a.cu", GetParam().source);
  Request wanted = request("a.cu");
  wanted.exports = {"run"};
  const Builder for_simulator(*clang, settings);
  const Result<Built> built = Builder(toolchain, settings, &for_simulator).build(wanted);
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_TRUE(built->causes.empty()) << built->causes.front().message << built->causes.front().details;
  const Symbols symbols = symbols_of(built->library).value();
  EXPECT_THAT(symbols.exported, Contains("run"));
  // nvcc's stubs are not exported.
  EXPECT_EQ(testing::Value(symbols.exported, Contains(HasSubstr("__device_stub__"))), GetParam().halved);
  EXPECT_THAT(symbols.undefined, Contains(HasSubstr("udaLaunchKernel")));
  EXPECT_TRUE(Builder(toolchain, settings, &for_simulator).build(wanted)->from_cache);
}

constexpr HalvedCase kHalved[]{
    {"kernels_and_templates",
     "template <class T, int N> __global__ void k(T* p) { p[threadIdx.x] = T(N); }\n"
     "extern \"C\" void run(int* p, float* q) { k<int, 2><<<1, 32>>>(p); k<float, 3><<<1, 32>>>(q); }\n",
     true},
    {"memory_and_occupancy",
     "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
     "extern \"C\" void run(int* p, cudaStream_t s) {\n  int blocks = 0;\n"
     "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 32, 0);\n"
     "  cudaMemsetAsync(p, 0, 128, s);\n  k<<<blocks, 32, 0, s>>>(p);\n}\n",
     true},
    {"device_variable",
     "__device__ int count;\n__global__ void k() { ++count; }\n"
     "extern \"C\" void run() { k<<<1, 1>>>(); int z = 0; cudaMemcpyToSymbol(count, &z, 4); }\n",
     false},
    {"kernel_of_this_file",
     "namespace { __global__ void k(int* p) { *p = 1; } }\n"
     "extern \"C\" void run(int* p) { k<<<1, 1>>>(p); }\n",
     false},
    {"static_kernel",
     "static __global__ void k(int* p) { *p = 1; }\nextern \"C\" void run(int* p) { k<<<1, 1>>>(p); }\n",
     false},
    {"structure_of_the_runtime",
     "__global__ void k(int* p) { *p = 1; }\n"
     "extern \"C\" void run(int* p) {\n  cudaDeviceProp of;\n  cudaGetDeviceProperties(&of, 0);\n"
     "  k<<<of.multiProcessorCount, 1>>>(p);\n}\n",
     false},
    {"lambda_for_the_device",
     "template <class F> __global__ void k(int* p, F f) { *p = f(); }\n"
     "extern \"C\" void run(int* p) { k<<<1, 1>>>(p, [] __device__() { return 2; }); }\n",
     false},
    {"kernels_that_depend_on_the_compiler",
     "#ifdef __clang__\n#define NAME a\n#else\n#define NAME b\n#endif\n"
     "__global__ void NAME(int* p) { *p = 1; }\n"
     "extern \"C\" void run(int* p) { NAME<<<1, 1>>>(p); }\n",
     false},
    {"thrust",
     "#include <thrust/device_vector.h>\n#include <thrust/reduce.h>\n"
     "extern \"C\" int run(int* p) { return thrust::reduce(thrust::device_ptr<int>(p), "
     "thrust::device_ptr<int>(p) + 8); }\n",
     false}};
INSTANTIATE_TEST_SUITE_P(Gpu, Halves, testing::ValuesIn(kHalved),
                         [](const auto& of) { return of.param.name; });

TEST_F(GpuBuild, tells_the_front_ends_first_error) {
  const Cause cause = only_cause(build_text("int a;\n\n__global__ void k(int* p) { *p = nothing; }\n"));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_EQ(cause.message, "identifier \"nothing\" is undefined");
  EXPECT_EQ(cause.file, "a.cu");
  EXPECT_EQ(cause.line, 3);
  EXPECT_THAT(cause.details, HasSubstr("a.cu(3): error"));
}

TEST_F(GpuBuild, tells_the_linkers_error_with_the_line) {
  const Cause cause = only_cause(build_text("int g(int);\n\nextern \"C\" int f() { return g(2); }\n"));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_THAT(cause.message, HasSubstr("undefined reference to `g(int)`"));
  EXPECT_EQ(cause.line, 3) << cause.details;
}

TEST_F(GpuBuild, shows_the_declaration_of_the_contract_where_a_parameter_differs) {
  const auto contract = scratch.path() / "task";
  std::filesystem::create_directory(contract);
  ASSERT_TRUE(write_file(contract / "task.h",
                         "using run_fn = void(const int* values, int n);\nextern \"C\" {\nrun_fn run;\n}\n"));
  write("a.cu", "#include \"task.h\"\nextern \"C\" void run(const int* values) { (void)values; }\n");
  Request wanted = request("a.cu");
  wanted.exports = {"run"};
  wanted.include_folders = {contract};
  const Cause cause = only_cause(build(wanted));
  EXPECT_EQ(cause.line, 2);
  EXPECT_THAT(cause.message, HasSubstr("task.h declares void run(const int* values, int n)"));
}

TEST_F(GpuBuild, names_lines_of_host_code_as_their_author_does) {
  write("part/a.cu", std::string("\n") + kGood);
  const Built built = build("part/a.cu");
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
  FILE* listing = popen(("nm -D '" + built.library.string() + "' | grep ' T run$'").c_str(), "r");
  unsigned long address = 0;
  ASSERT_EQ(std::fscanf(listing, "%lx", &address), 1);
  pclose(listing);
  const PlacesOfAddresses places = symbolize(built.library, {address});
  ASSERT_EQ(places.count(address), 1U);
  ASSERT_FALSE(places.at(address).empty());
  EXPECT_EQ(places.at(address).back().file, "part/a.cu");
  EXPECT_EQ(places.at(address).back().line, 4);
}

TEST_F(GpuBuild, points_to_a_kernel_that_is_not_declared_with_global) {
  const Cause cause = only_cause(build_text("void k(int* p) {\n  __shared__ int s;\n  s = *p;\n}\n"));
  EXPECT_EQ(cause.line, 1);
  EXPECT_THAT(cause.message, HasSubstr("declared with __global__"));
}

TEST_F(GpuBuild, links_the_libraries_that_are_asked_for_and_no_others) {
  write("a.cu",
        "#include <cublas_v2.h>\nextern \"C\" int run() { cublasHandle_t h; return cublasCreate(&h); }\n");
  Request wanted = request("a.cu");
  wanted.exports = {"run"};
  EXPECT_THAT(only_cause(build(wanted)).message, HasSubstr("undefined reference to `cublasCreate"));
  wanted.libraries = {"cublas"};
  const Built built = build(wanted);
  EXPECT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
}

TEST_F(GpuBuild, takes_odd_names) {
  const std::string name = "Anna's \"best\" work, $(touch pwned)\n.cu";
  write(name, std::string("#include \"my h.h\"\n") + kGood);
  write("my h.h", "\n");
  EXPECT_TRUE(build(name).causes.empty());
  EXPECT_TRUE(build(name).from_cache);
  write(name, "int b = nothing;\n");
  const Cause cause = only_cause(build(name));
  EXPECT_EQ(cause.file, name);
  EXPECT_EQ(cause.line, 1);
}

TEST_F(GpuBuild, ends_at_the_limit) {
  settings.compile_limit = std::chrono::milliseconds(1);
  EXPECT_EQ(only_cause(build_text(kGood)).kind, CauseKind::timed_out);
}

}  // namespace
}  // namespace warpmark::build
