// What becomes of files that cannot be built for the simulator, with the real clang.

#include <chrono>

#include "tests/build/fixture.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

class Refusal : public BuildTest {};

TEST_F(Refusal, tells_the_first_error_with_its_lines_around) {
  const Cause cause =
      only_cause(build_text("int a;\n\n\n\nint b = nothing;\nint c;\nint d = nothing_else;\n"));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_EQ(cause.message, "use of undeclared identifier 'nothing'");
  EXPECT_EQ(cause.file, "a.cu");
  EXPECT_EQ(cause.line, 5);
  ASSERT_EQ(cause.excerpt.size(), 6U);
  EXPECT_EQ(cause.excerpt[3].number, 5);
  EXPECT_EQ(cause.excerpt[3].text, "int b = nothing;");
  EXPECT_THAT(cause.details, HasSubstr("a.cu:5:9: error: use of undeclared identifier 'nothing'"));
  EXPECT_THAT(cause.details, Not(HasSubstr(scratch.path().string())));
}

TEST_F(Refusal, in_a_header_of_the_submission_names_the_header) {
  write("part/h.h", "\nint oops = ;\n");
  write("part/a.cu", "#include \"h.h\"\n");
  const Cause cause = only_cause(build("part/a.cu"));
  EXPECT_EQ(cause.file, "part/h.h");
  EXPECT_EQ(cause.line, 2);
  ASSERT_EQ(cause.excerpt.size(), 2U);
}

TEST_F(Refusal, of_an_own_header_by_a_path_from_outside) {
  write("x.h", "#if defined(__clang__)\n#endif\n");
  const std::string own = (submission() / "x.h").string();
  const auto refused_for = [&](const std::string& path) {
    write("a.cu", "#include \"" + path + "\"\n");
    Request submitted = request("a.cu");
    submitted.rules = SubmissionRules{};
    return only_cause(build(submitted)).message;
  };
  for (const char* detour : {"/proc/self/root", "/usr/.."})
    EXPECT_THAT(refused_for(detour + own), HasSubstr("by a path from outside")) << detour;
  for (const std::string& path : {own, std::string("x.h")})
    EXPECT_THAT(refused_for(path), HasSubstr("`__clang__`")) << path;
}

TEST_F(Refusal, in_a_header_of_the_course_names_the_line_that_uses_it) {
  const fs::path contract = scratch.path() / "contract";
  fs::create_directory(contract);
  ASSERT_TRUE(write_file(contract / "c.h", "template <class T> int f(T x) { return x.nothing(); }\n"));
  write("a.cu", "#include \"c.h\"\n\nint g() { return f(1); }\n");
  Request wanted = request("a.cu");
  wanted.include_folders = {contract};
  const Cause cause = only_cause(build(wanted));
  EXPECT_EQ(cause.file, "a.cu");
  EXPECT_EQ(cause.line, 3);
}

TEST_F(Refusal, of_a_function_that_is_not_defined_names_the_line) {
  const Cause cause = only_cause(build_text("int g(int);\n\nextern \"C\" int f() { return g(2); }\n"));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_THAT(cause.message, HasSubstr("undefined reference to `g(int)`"));
  EXPECT_EQ(cause.file, "a.cu");
  EXPECT_EQ(cause.line, 3);
}

TEST_F(Refusal, of_a_runtime_function_that_is_not_simulated_is_not_the_submissions_fault) {
  const Cause linked =
      only_cause(build_text("extern \"C\" int cudaLibraryUnload();\nextern \"C\" int f() { return "
                            "cudaLibraryUnload(); }\n"));
  EXPECT_EQ(linked.kind, CauseKind::unsupported);
  EXPECT_THAT(linked.message, HasSubstr("cudaLibraryUnload is not simulated"));
  EXPECT_EQ(linked.line, 2);
}

TEST_F(Refusal, of_a_name_that_a_submission_made_up_is_its_own_fault) {
  const Cause linked = only_cause(
      build_text("extern \"C\" int cudaFrobnicate();\nextern \"C\" int f() { return cudaFrobnicate(); }\n"));
  EXPECT_EQ(linked.kind, CauseKind::compile_error);
  const Cause declared =
      only_cause(build_text("__attribute__((unavailable(\"not simulated by Warpmark\"))) int cudaX();\nint "
                            "f() { return cudaX(); }\n"));
  EXPECT_EQ(declared.kind, CauseKind::compile_error);
}

TEST_F(Refusal, of_a_header_of_the_toolkit_is_not_the_submissions_fault) {
  const Cause cause = only_cause(build_text("#include <nvjpeg.h>\n"));
  EXPECT_EQ(cause.kind, CauseKind::unsupported);
  EXPECT_EQ(cause.line, 1);
  EXPECT_EQ(cause.message, "nvjpeg.h is not simulated: run this on a machine with a GPU, or do without it");
}

TEST_F(Refusal, names_functions_of_the_driver_not_what_they_take) {
  const Cause cause = only_cause(
      build_text("#include <cuda.h>\nvoid f() {\n  CUctxCreateParams none = {};\n"
                 "  CUDA_ARRAY_DESCRIPTOR array = {};\n  CUarray made;\n  cuArrayCreate(&made, &array);\n"
                 "  cuArrayDestroy(made);\n}\n"));
  EXPECT_EQ(cause.kind, CauseKind::unsupported);
  EXPECT_THAT(cause.message, HasSubstr("cuArrayCreate, cuArrayDestroy are not simulated"));
}

TEST_F(Refusal, of_functions_about_one_plan_names_all_of_them) {
  const Cause cause = only_cause(
      build_text("#include <cufftXt.h>\nvoid f(cufftHandle plan, int* code) {\n  cufftXt1dFactors factors;\n"
                 "  cufftXtQueryPlan(plan, &factors, CUFFT_QUERY_1D_FACTORS);\n"
                 "  cufftXtSetJITCallback(plan, \"load\", code, 8, CUFFT_CB_LD_REAL, 0);\n"
                 "  cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1);\n}\n"));
  EXPECT_EQ(cause.kind, CauseKind::unsupported);
  EXPECT_EQ(cause.line, 4);
  EXPECT_THAT(
      cause.message,
      HasSubstr("cufftXtQueryPlan, cufftXtSetJITCallback, cufftSetPlanPropertyInt64 are not simulated"));
}

TEST_F(Refusal, of_a_type_that_nothing_simulated_takes_names_it) {
  for (const std::string type : {"CUDA_KERNEL_NODE_PARAMS", "CUlaunchConfig", "cudaMemFabricHandle_t"}) {
    const Cause cause = only_cause(build_text("#include <cuda.h>\n" + type + " parameters = {};\n"));
    EXPECT_EQ(cause.kind, CauseKind::unsupported) << type;
    EXPECT_THAT(cause.message, HasSubstr(type + " is not simulated"));
  }
}

TEST_F(Refusal, names_all_headers_and_functions_that_are_not_simulated) {
  const Cause headers = only_cause(build_text(
      "#include <nvjpeg.h>\n#include <cublas_v2.h>\n  # include \"nppi.h\"\n#include <mine.h>\nint x;\n"));
  EXPECT_EQ(headers.kind, CauseKind::unsupported);
  EXPECT_EQ(headers.message,
            "nvjpeg.h, nppi.h are not simulated: run this on a machine with a GPU, or do without them");
  const Cause functions = only_cause(build_text(
      "#include <cub/cub.cuh>\n#include <cublas_v2.h>\nvoid f(cublasHandle_t h) {\n"
      "  cublasSgeqrfBatched(h, 1);\n  cublasSgelsBatched(h);\n  cub::DeviceSpmv::CsrMV(h);\n}\n"));
  EXPECT_EQ(functions.kind, CauseKind::unsupported);
  EXPECT_EQ(functions.line, 4);
  EXPECT_THAT(functions.message,
              HasSubstr("cublasSgeqrfBatched, cublasSgelsBatched, cub::DeviceSpmv are not simulated"));
  const Cause samples =
      only_cause(build_text("#include <nvml.h>\nvoid f(nvmlDevice_t d) { nvmlDeviceGetSamples(d); }\n"));
  EXPECT_EQ(samples.kind, CauseKind::unsupported);
  EXPECT_THAT(samples.message, HasSubstr("nvmlDeviceGetSamples is not simulated"));
}

TEST_F(Refusal, of_a_name_of_the_runtime_that_no_header_declares_is_not_the_submissions_fault) {
  const Cause function = only_cause(build_text("int f() { return cudaUserObjectRelease(nullptr, 1); }\n"));
  EXPECT_EQ(function.kind, CauseKind::unsupported);
  EXPECT_THAT(function.message, HasSubstr("cudaUserObjectRelease is not simulated"));
  const Cause type = only_cause(build_text("int x;\ncudaExternalMemoryHandleDesc parameters;\n"));
  EXPECT_EQ(type.kind, CauseKind::unsupported);
  EXPECT_EQ(type.line, 2);
}

TEST_F(Refusal, of_a_function_without_extern_c_says_so) {
  write("a.cu", "int v01(int x) { return x; }\nextern \"C\" int helper() { return 1; }\n");
  Request wanted = request("a.cu");
  wanted.exports = {"v01"};
  const Cause cause = only_cause(build(wanted));
  EXPECT_EQ(cause.kind, CauseKind::missing_function);
  EXPECT_THAT(cause.message, HasSubstr("extern \"C\" before it"));
  EXPECT_THAT(cause.message, HasSubstr("it defines helper."));
}

TEST_F(Refusal, of_a_file_that_is_not_there_is_a_cause) {
  const Cause cause = only_cause(build("missing.cu"));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_THAT(cause.message, HasSubstr("No such file or directory"));
  fs::create_directory(submission() / "folder.cu");
  EXPECT_THAT(only_cause(build("folder.cu")).message, HasSubstr("not a regular file"));
}

TEST_F(Refusal, of_a_constant_expression_that_never_ends_comes_at_the_limit) {
  settings.compile_limit = 300ms;
  // Exponential, and within every limit of steps that the compiler has of its own.
  const Cause cause =
      only_cause(build_text("template <int N, int M> struct F { static constexpr int v = F<N - 1, 2 * M>::v "
                            "+ F<N - 1, 2 * M + 1>::v; };\n"
                            "template <int M> struct F<0, M> { static constexpr int v = 1; };\n"
                            "int f() { return F<28, 1>::v; }\n"));
  EXPECT_EQ(cause.kind, CauseKind::timed_out);
  EXPECT_THAT(cause.message, HasSubstr("within 300 ms"));
}

TEST_F(Refusal, of_an_endless_template_is_the_compilers_own_limit) {
  const Cause cause = only_cause(build_text(
      "template <int N> struct G { static constexpr int v = G<N + 1>::v; };\nint f() { return G<0>::v; }\n"));
  EXPECT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_THAT(cause.message, HasSubstr("recursive template instantiation"));
  EXPECT_EQ(cause.line, 1);
}

TEST_F(Refusal, with_a_lot_to_say_is_cut) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "int x" + std::to_string(i) + " = " + std::string(2000, 'y') + ";\n";
  const Cause cause = only_cause(build_text(text));
  EXPECT_EQ(cause.line, 1);
  EXPECT_LT(cause.details.size(), 20000U);
}

TEST_F(Refusal, of_our_own_making_is_no_cause) {
  write("a.cu", kGood);
  toolchain.compiler = "/nowhere/clang++";
  const Result<Built> built = Builder(toolchain, settings).build(request("a.cu"));
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().message, HasSubstr("/nowhere/clang++"));
}

}  // namespace
}  // namespace warpmark::build
