// Programs graded natively, as where there is a GPU: nvcc is a script that notes its arguments and calls g++,
// so that host code runs and kernels do not compile.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/home.h"
#include "harness/base/file.h"
#include "harness/judge/programs/program_grading.h"
#include "harness/judge/rules/course.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Installation kInstallation{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};

constexpr const char* kAssignment = R"(kind = "program"
title = "Twice"
[points]
builds = 10
correct = 60
clean = 30
[require]
kernels = 0
[[case]]
name = "small"
arguments = ["21"]
expected = {stdout = "small.out"}
[[case]]
name = "large"
arguments = ["1000"]
expected = {stdout = "large.out"}
gpu_only = true
[limits]
run_seconds = 20
[[version]]
name = "twice"
sources = ["twice.cu", "*.cu", "*.c"]
)";

constexpr const char* kNvcc = R"(#!/bin/sh
echo "$@" >>@LOG@
new=
skip=no
language=c++
for a; do
  if [ $skip = yes ]; then skip=no; continue; fi
  if [ $skip = language ]; then skip=no; language=$a; continue; fi
  case $a in
    -x) skip=language;;
    -arch=*|--extended-lambda|--expt-relaxed-constexpr|-lineinfo|-rdc=true|-Xcompiler) ;;
    -Xlinker) skip=yes;;
    *.cu) new="$new -x $language $a -x none";;
    *) new="$new $a";;
  esac
done
exec /usr/bin/g++ $new
)";

constexpr const char* kTwice = R"(#include <cstdio>
#include <cstdlib>
extern "C" int doubled(int x);
int main(int, char** argv) { std::printf("%d\n", doubled(std::atoi(argv[1]))); }
)";

class NativePrograms : public testing::Test {
 protected:
  void SetUp() override {
    engines = find_engines(kInstallation, kEngineLimit);
    if (!engines.has(Engine::simulator))
      GTEST_SKIP() << "not run: " << engines.missing.at(Engine::simulator).message;
    std::string nvcc = kNvcc;
    nvcc.replace(nvcc.find("@LOG@"), 5, log().string());
    write("nvcc", nvcc);
    fs::permissions(folder.path() / "nvcc", fs::perms(0755));
    engines.toolchains[Engine::gpu] = {Engine::gpu, folder.path() / "nvcc", "a script",
                                       folder.path().string()};
    engines.devices[Engine::gpu] = {.name = "no GPU"};
    engines.missing.erase(Engine::gpu);
    write("twice/assignment.toml", kAssignment);
    write("twice/small.out", "42\n");
    write("twice/large.out", "2000\n");
    write("ada/twice.cu", kTwice);
    write("ada/doubled.c", "int doubled(int x) { return 2 * x; }\n");
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder.path() / name).parent_path());
    ASSERT_TRUE(write_file(folder.path() / name, text));
  }
  void change(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read_file(folder.path() / name).value_or("");
    ASSERT_NE(text.find(from), std::string::npos) << from;
    write(name, text.replace(text.find(from), from.size(), to));
  }
  [[nodiscard]] fs::path log() const { return folder.path() / "log"; }

  [[nodiscard]] Result<Grade> graded(const GradeOptions& more = {}) const {
    const auto home = find_assignment(WARPMARK_ROOT, (folder.path() / "twice").string());
    if (!home) return tl::unexpected(home.error());
    auto rubric = read_rubric(*home);
    if (!rubric) return tl::unexpected(rubric.error());
    const auto submission = take_in(folder.path() / "ada", *rubric, WARPMARK_ROOT);
    if (!submission) return tl::unexpected(submission.error());
    GradeOptions options = more;
    options.cache = folder.path() / "cache";
    return grade_programs(kInstallation, options, resolve(*rubric, std::nullopt, {options.focus, "*"}),
                          *submission, engines);
  }
  [[nodiscard]] CheckResult check(const std::string& name) const {
    const auto grade = graded();
    if (!grade) throw std::runtime_error(grade.error().message);
    return *std::ranges::find(grade->checks, name, &CheckResult::check);
  }

  TemporaryFolder folder;
  Engines engines;
};

TEST_F(NativePrograms, are_built_by_nvcc_and_clean_on_the_simulator) {
  const auto grade = graded();
  ASSERT_TRUE(grade) << grade.error().message;
  for (const CheckResult& check : grade->checks) {
    EXPECT_EQ(check.verdict, Verdict::passed)
        << check.check << ": " << (check.causes.empty() ? "" : check.causes.front().message);
    EXPECT_EQ(check.engine, check.check == "clean" ? Engine::simulator : Engine::gpu) << check.check;
  }
  const std::string commands = read_file(log()).value_or("");
  EXPECT_THAT(commands,
              AllOf(HasSubstr("-arch=native --extended-lambda"), HasSubstr("-c -rdc=true"), HasSubstr("0.o "),
                    HasSubstr("1.o "), HasSubstr("-x c -O3 -c"), Not(HasSubstr("-shared"))));
}

TEST_F(NativePrograms, one_file_is_linked_without_relocatable_device_code) {
  fs::remove(folder.path() / "ada/doubled.c");
  change("ada/twice.cu", "extern \"C\" int doubled(int x);", "int doubled(int x) { return 2 * x; }");
  EXPECT_EQ(check("correct").verdict, Verdict::passed);
  EXPECT_THAT(read_file(log()).value_or(""), Not(HasSubstr("-rdc=true")));
}

TEST_F(NativePrograms, cases_for_a_gpu_alone_are_run_there_alone) {
  change("ada/doubled.c", "return 2 * x;", "return x > 100 ? 0 : 2 * x;");
  const CheckResult wrong = check("correct");
  ASSERT_EQ(wrong.verdict, Verdict::failed);
  EXPECT_EQ(wrong.causes.front().test, "large");
  EXPECT_EQ(wrong.causes.front().actual, "0");
  EXPECT_EQ(check("clean").verdict, Verdict::passed);

  engines.toolchains.erase(Engine::gpu);
  engines.missing[Engine::gpu] = make_cause(CauseKind::no_gpu, "no GPU");
  EXPECT_EQ(check("correct").verdict, Verdict::passed) << "the large case is not run";
  GradeOptions large;
  large.focus.test = "large";
  const auto alone = graded(large);
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().message, HasSubstr("this case is for a GPU alone"));
  large = {};
  large.engine = Engine::gpu;
  EXPECT_THAT(graded(large).error().message, HasSubstr("--engine gpu: no GPU"));
}

TEST_F(NativePrograms, kernels_are_counted_on_the_simulator) {
  change("twice/assignment.toml", "kernels = 0", "kernels = 1");
  const CheckResult correct = check("correct");
  ASSERT_EQ(correct.verdict, Verdict::failed);
  EXPECT_EQ(correct.causes.front().kind, CauseKind::no_kernel);
  EXPECT_EQ(correct.causes.front().test, "small");
}

TEST_F(NativePrograms, what_nvcc_refuses_does_not_build) {
  change("ada/twice.cu", "int main", "int first = undeclared;\nint main");
  const CheckResult builds = check("builds");
  ASSERT_EQ(builds.verdict, Verdict::failed);
  EXPECT_EQ(builds.engine, Engine::gpu);
  EXPECT_EQ(builds.causes.front().kind, CauseKind::compile_error);
  EXPECT_EQ(builds.causes.front().line, 4);
}

// One program whose host code depends on the compiler: clang makes it for the simulator.
constexpr const char* kTwoPrograms = R"(#include <cstdio>
#include <cstdlib>
#ifdef __clang__
__global__ void twice(int* value) { @KERNEL@ }
int doubled(int x) {
  int* value = nullptr;
  cudaMallocManaged(&value, sizeof(int));
  *value = x;
  twice<<<1, 64>>>(value);
  cudaDeviceSynchronize();
  return *value;
}
#else
int doubled(int x) { return @ON_GPU@; }
#endif
int main(int, char** argv) { std::printf("%d\n", doubled(std::atoi(argv[1]))); }
)";

class BesideAGpu : public NativePrograms {
 protected:
  void program(const std::string& kernel, const std::string& on_gpu) const {
    write("ada/doubled.c", "int unused;\n");
    write("ada/twice.cu", kTwoPrograms);
    change("ada/twice.cu", "@KERNEL@", kernel);
    change("ada/twice.cu", "@ON_GPU@", on_gpu);
  }
  static constexpr int kKernelLine = 4;
};

TEST_F(BesideAGpu, a_right_program_passes) {
  program("if (threadIdx.x == 0) *value *= 2;", "x > 100 ? 2000 : 42");
  EXPECT_EQ(check("correct").verdict, Verdict::passed);
  EXPECT_EQ(check("clean").verdict, Verdict::passed);
}

TEST_F(BesideAGpu, a_wrong_output_has_the_simulators_cause_first) {
  program("value[threadIdx.x] *= 2;", "0");
  const CheckResult correct = check("correct");
  ASSERT_EQ(correct.verdict, Verdict::failed);
  EXPECT_EQ(correct.engine, Engine::gpu);
  ASSERT_EQ(correct.causes.size(), 2U);
  EXPECT_EQ(correct.causes[0].kind, CauseKind::out_of_bounds);
  EXPECT_EQ(correct.causes[0].line, kKernelLine);
  EXPECT_THAT(correct.causes[0].message, HasSubstr("seen on the simulator"));
  EXPECT_EQ(correct.causes[1].kind, CauseKind::wrong_output);
}

TEST_F(BesideAGpu, a_wrong_output_is_explained_by_what_clean_finds) {
  program("if (threadIdx.x % 40 == 0) *value = threadIdx.x + 2;", "0");
  const CheckResult correct = check("correct");
  ASSERT_EQ(correct.verdict, Verdict::failed);
  EXPECT_EQ(correct.causes[0].kind, check("clean").causes.at(0).kind);
  EXPECT_EQ(correct.causes[0].line, kKernelLine);
  EXPECT_EQ(correct.causes.back().kind, CauseKind::wrong_output);
}

TEST_F(BesideAGpu, an_output_that_is_wrong_on_the_simulator_alone_fails) {
  program("if (threadIdx.x == 0) *value *= 3;", "x > 100 ? 2000 : 42");
  const CheckResult correct = check("correct");
  ASSERT_EQ(correct.verdict, Verdict::failed);
  EXPECT_EQ(correct.causes[0].kind, CauseKind::wrong_output);
  EXPECT_EQ(correct.causes[0].actual, "63");
  EXPECT_THAT(correct.causes[0].message, HasSubstr("the GPU's answers are right; seen on the simulator"));
}

TEST_F(BesideAGpu, a_program_that_is_slower_on_the_simulator_is_left_to_the_gpu) {
  change("twice/assignment.toml", "run_seconds = 20", "run_seconds = 1");
  program("if (threadIdx.x == 0) *value *= 2;", "x > 100 ? 2000 : 42");
  change("ada/twice.cu", "int* value = nullptr;",
         "for (volatile bool never = false; !never;) {}\n  int* value = nullptr;");
  EXPECT_EQ(check("correct").verdict, Verdict::passed);
}

TEST_F(BesideAGpu, what_no_compiler_takes_is_told_in_the_words_of_the_simulators_first) {
  program("if (threadIdx.x == 0) *value *= 2;", "0");
  change("ada/twice.cu", "#ifdef __clang__", "int first = undeclared;\n#ifdef __clang__");
  const CheckResult builds = check("builds");
  ASSERT_EQ(builds.verdict, Verdict::failed);
  EXPECT_EQ(builds.causes[0].line, 3);
  EXPECT_THAT(builds.causes[0].message, HasSubstr("use of undeclared identifier 'undeclared'")) << "clang's";
  EXPECT_EQ(builds.causes.size(), 1U);
}

TEST_F(NativePrograms, too_few_gpus_leave_a_program_to_the_simulator) {
  change("twice/assignment.toml", "name = \"twice\"", "name = \"twice\"\ngpus = 2");
  EXPECT_EQ(check("correct").engine, Engine::simulator);
}

}  // namespace
}  // namespace warpmark::judge
