#include "harness/build/integrity.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

// What a library has: Symbols, of which most are empty.
struct Has {
  std::vector<std::string> exported = {"v"};
  std::vector<std::string> undefined = {};
  std::vector<std::string> resolvers = {};
  std::vector<std::string> constructors = {};
  std::vector<std::string> destructors = {};
};

// A submission's file, compiled to a library with these symbols.
class Integrity : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path() / "submission");
    fs::create_directories(folder_.path() / "toolkit");
    request_ = {.source = folder_.path() / "submission" / "v.cu",
                .display_name = "v.cu",
                .include_folders = {},
                .value_type = "int",
                .exports = {"v"},
                .rules = SubmissionRules{}};
    write("v.cu", "void v() {}\n");
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(folder_.path() / "submission" / name, text));
  }
  [[nodiscard]] std::optional<Cause> broken(const Has& has) const {
    const Symbols symbols{has.exported, has.undefined, has.resolvers, has.constructors, has.destructors};
    return broken_rule(request_, entry_, symbols, folder_.path() / "toolkit");
  }
  void expect(const Has& symbols, CauseKind kind, const std::string& words) const {
    const auto cause = broken(symbols);
    ASSERT_TRUE(cause) << words;
    EXPECT_EQ(cause->kind, kind);
    EXPECT_THAT(cause->message, HasSubstr(words));
    EXPECT_EQ(cause->file, "v.cu");
  }

  TemporaryFolder folder_;
  Request request_;
  Entry entry_;
};

TEST_F(Integrity, passes_what_computes) {
  EXPECT_FALSE(broken({.exported = {"v", "_Z4helpi"},
                       .undefined = {"cudaLaunchKernel", "malloc", "printf", "pthread_create"},
                       .resolvers = {},
                       .constructors = {"frame_dummy", "__cuda_module_ctor", "_GLOBAL__sub_I_v.cu"},
                       .destructors = {"__do_global_dtors_aux"}}));
}

TEST_F(Integrity, refuses_functions_of_others_that_a_library_defines) {
  expect({.exported = {"__cudaRegisterFatBinary", "v"}}, CauseKind::tampering,
         "`__cudaRegisterFatBinary`, a function of CUDA");
  expect({.exported = {"v", "__tsan_read4"}}, CauseKind::tampering, "a function of a sanitizer");
  expect({.exported = {"v", "__wrap___tsan_atomic32_load"}}, CauseKind::tampering,
         "a function of a sanitizer");
  expect({.exported = {"v", "warpmark_call"}}, CauseKind::tampering, "a function of the harness");
}

TEST_F(Integrity, names_that_a_library_calls_alone_are_free) {
  EXPECT_FALSE(broken(
      {.exported = {"cub", "cudaCheck", "cuBlocks", "cudaMemcpy", "AnnotateStep", "read", "clock", "v"}}));
}

TEST_F(Integrity, calls_that_the_standard_library_makes_are_free) {
  EXPECT_FALSE(
      broken({.exported = {"v"}, .undefined = {"syscall", "sem_wait", "setenv", "pthread_setname_np"}}))
      << "std::atomic::wait, std::counting_semaphore";
}

TEST_F(Integrity, conditions_may_ask_what_is_the_same_for_all_compilers) {
  for (const char* line :
       {"#ifdef __GNUC__", "#if defined(__GNUC__) && __GNUC__ >= 4", "#if __has_include(<version>)",
        "#ifdef __has_cpp_attribute", "#if __has_cpp_attribute(nodiscard)", "#if defined(__cpp_lib_latch)",
        "#ifdef _OPENMP", "#ifdef _WIN32", "const char* f() { return __PRETTY_FUNCTION__; }"}) {
    write("v.cu", fmt::format("{}\n#endif\n", line));
    EXPECT_FALSE(broken({.exported = {"v"}})) << line;
  }
  for (const char* line :
       {"#if __GNUC__ > 4", "#if __GNUC__ == 4", "#if __GNUC_MINOR__ > 2", "#ifdef __clang__",
        "int a = __GNUC__;", "#if __has_include(<crt/host_config.h>)", "#if __has_include(\"v.h\")",
        "#if __has_builtin(__shfl)", "#if __has_cpp_attribute(nodiscard) > 201603",
        "#if __has_cpp_attribute(clang::musttail)", "#if _OPENMP > 201511"}) {
    write("v.cu", fmt::format("{}\n#endif\n", line));
    EXPECT_TRUE(broken({.exported = {"v"}})) << line;
  }
}

TEST_F(Integrity, only_what_reaches_the_assembler_is_searched_for_directives) {
  for (const char* line : {"const char* help = \"see the .section on warps\";",
                           "void f() { asm volatile (\"nop\"); puts(\".section 3\"); }"}) {
    write("v.cu", line);
    EXPECT_FALSE(broken({.exported = {"v"}})) << line;
  }
  for (const char* line :
       {"asm(\".pushsection .init\");", "void f() { asm volatile (\"nop\\n\" \".sec\" \"tion .init\"); }",
        "asm(\".inc\" R\"x(bin)x\" \" \\\"a\\\"\");", "asm(\".\\151ncbin\");", "asm(\".\\x69ncbin\");",
        "asm(\".\\u0069ncbin\");", "#define EMIT asm\nEMIT(\".incbin\");",
        "#define EMIT(text) __asm__(text)\nEMIT(\".section .init\");"}) {
    write("v.cu", line);
    EXPECT_TRUE(broken({.exported = {"v"}})) << line;
  }
}

TEST_F(Integrity, refuses_calls_that_no_computation_needs) {
  for (const char* name :
       {"fork", "execve", "ptrace", "dlopen", "dl_iterate_phdr", "mprotect", "sigaction", "socket"})
    expect({.exported = {"v"}, .undefined = {name}}, CauseKind::tampering, fmt::format("calls `{}`", name));
}

TEST_F(Integrity, refuses_calls_that_start_ranks_or_reach_what_started_them) {
  for (const char* name : {"PMIx_Spawn", "PMI2_Job_Spawn", "MPI_Comm_spawn_multiple", "PMPI_Comm_spawn",
                           "MPI_Open_port", "opal_init", "orte_launch"})
    expect({.exported = {"v"}, .undefined = {name}}, CauseKind::tampering, fmt::format("calls `{}`", name));
  EXPECT_FALSE(broken({.exported = {"v"},
                       .undefined = {"MPI_Comm_split", "PMPI_Send", "ompi_mpi_comm_world", "ompi_op_sum"}}));
}

TEST_F(Integrity, refuses_the_same_calls_by_the_c_librarys_other_names) {
  for (const char* name :
       {"__libc_fork", "_IO_popen", "__sigaction", "system@GLIBC_2.2.5", "warpmark_upload"})
    expect({.exported = {"v"}, .undefined = {name}}, CauseKind::tampering, fmt::format("calls `{}`", name));
}

TEST_F(Integrity, only_where_a_library_is_allowed_it_may_look_for_tools) {
  const Has symbols{.exported = {"v"}, .undefined = {"dlopen", "dlsym"}};
  EXPECT_TRUE(broken(symbols));
  request_.rules->libraries = {"cublas"};
  EXPECT_FALSE(broken(symbols));
  EXPECT_TRUE(broken({.exported = {"v"}, .undefined = {"dlmopen"}}));
}

TEST_F(Integrity, only_where_such_a_library_is_allowed_the_device_may_be_asked_for_a_routine) {
  const Has symbols{.exported = {"v"}, .undefined = {"warpmark_device_library_call"}};
  request_.rules->libraries = {"curand"};
  EXPECT_TRUE(broken(symbols));
  for (const char* library : {"cublas", "cusolver", "cufft"}) {
    request_.rules->libraries = {library};
    EXPECT_FALSE(broken(symbols)) << library;
  }
  EXPECT_TRUE(broken({.exported = {"v"}, .undefined = {"warpmark_device_take"}}));
}

TEST_F(Integrity, refuses_code_that_runs_by_loading) {
  expect({.exported = {"v"}, .constructors = {"frame_dummy", "mine"}}, CauseKind::tampering,
         "the constructor `mine`, which runs when it is loaded");
  expect({.exported = {"v"}, .destructors = {"mine"}}, CauseKind::tampering, "when it is unloaded");
  expect({.exported = {"v"}, .resolvers = {"chosen"}}, CauseKind::tampering, "the ifunc `chosen`");
}

TEST_F(Integrity, the_courses_own_files_have_no_rules) {
  request_.rules.reset();
  EXPECT_FALSE(broken({.exported = {"cudaMemcpy"}, .undefined = {"fork"}, .constructors = {"mine"}}));
}

TEST_F(Integrity, a_library_of_the_toolkit_is_for_versions_whose_rules_name_it) {
  entry_.included = {{.path = "/usr/local/cuda/include/thrust/reduce.h", .outside = true}};
  expect({.exported = {"v"}}, CauseKind::forbidden_library, "uses thrust (reduce.h)");
  request_.rules->libraries = {"cub"};  // made of each other
  EXPECT_FALSE(broken({.exported = {"v"}}));
  request_.rules->libraries = {"cublas"};
  EXPECT_TRUE(broken({.exported = {"v"}}));
}

TEST_F(Integrity, a_library_of_the_simulator_is_held_to_the_same_rules) {
  const fs::path headers = folder_.path() / "toolkit";
  entry_.included = {{.path = headers / "cuda_runtime.h", .outside = false}};
  EXPECT_FALSE(broken({.exported = {"v"}}));
  entry_.included = {{.path = headers / "cub" / "cub.cuh", .outside = false}};
  expect({.exported = {"v"}}, CauseKind::forbidden_library, "uses cub (cub.cuh)");
  entry_.included = {{.path = headers / "warpmark_cuda" / "blas" / "level3.h", .outside = false}};
  expect({.exported = {"v"}}, CauseKind::forbidden_library, "uses cublas (level3.h)");
  entry_.included = {{.path = headers / "warpmark_cuda" / "algorithms" / "sort.h", .outside = false}};
  expect({.exported = {"v"}}, CauseKind::forbidden_library, "uses algorithms (sort.h)");
  request_.rules->libraries = {"cublas"};
  EXPECT_FALSE(broken({.exported = {"v"}})) << "a part of cuBLAS, too";
}

TEST_F(Integrity, a_folder_of_ones_own_is_no_library) {
  fs::create_directories(folder_.path() / "submission" / "thrust");
  write("thrust/reduce.h", "int reduce();\n");
  entry_.included = {{.path = folder_.path() / "submission" / "thrust" / "reduce.h", .outside = false}};
  EXPECT_FALSE(broken({.exported = {"v"}}));
}

TEST_F(Integrity, a_header_may_not_replace_one_of_cuda) {
  ASSERT_TRUE(write_file(folder_.path() / "toolkit" / "cuda_runtime.h", ""));
  write("cuda_runtime.h", "\n");
  entry_.included = {{.path = folder_.path() / "submission" / "cuda_runtime.h", .outside = false}};
  const auto cause = broken({.exported = {"v"}});
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("cuda_runtime.h has the name of a header of CUDA"));
}

TEST_F(Integrity, a_version_does_not_include_another) {
  write("w.cu", "\n");
  request_.rules->other_versions = {"w.cu"};
  entry_.included = {{.path = folder_.path() / "submission" / "w.cu", .outside = false}};
  const auto cause = broken({.exported = {"v"}});
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("v.cu includes w.cu, another version"));
}

TEST(LoadedCode, is_read_from_the_file) {
  const auto symbols = symbols_of(WARPMARK_LOADED_CODE);
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_THAT(symbols->constructors, Contains("comes_first"));
  EXPECT_THAT(symbols->constructors, Contains("?"));  // seen_by_others: another library may define it instead
  EXPECT_THAT(symbols->destructors, Contains("comes_last"));
  EXPECT_THAT(symbols->resolvers, Contains("chosen"));
}

TEST(LibraryOfHeader, is_told_by_the_folder_or_the_begin_of_the_name) {
  EXPECT_EQ(library_of_header("thrust/reduce.h"), "thrust");
  EXPECT_EQ(library_of_header("/usr/include/cub/cub.cuh"), "cub");
  EXPECT_EQ(library_of_header("/usr/include/cublas_v2.h"), "cublas");
  EXPECT_EQ(library_of_header("/x/include/warpmark_cuda/blas/level3.h"), "cublas");
  EXPECT_EQ(library_of_header("/x/include/warpmark_cuda/algorithms/sort.h"), "algorithms");
  EXPECT_EQ(library_of_header("my_thrust/reduce.h"), "");
  EXPECT_EQ(library_of_header("vector"), "");
}

}  // namespace
}  // namespace warpmark::build
