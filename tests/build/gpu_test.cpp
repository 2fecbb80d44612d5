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
