// Programs as submissions: right and wrong ones, and mistakes of the assignment.
#include <map>
#include <nlohmann/json.hpp>

#include "tests/programs/program_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

using Programs = ProgramTest;

TEST_F(Programs, reference_gets_all_points_and_the_template_none) {
  const Grade reference = graded(home / "reference");
  EXPECT_EQ(reference.score.points, 100);
  EXPECT_EQ(reference.score.open, 0);
  EXPECT_EQ(reference.exit_status, 0);
  EXPECT_TRUE(fs::exists(out / "index.html"));

  const Child made = run({"new", (folder.path() / "new").string(), "--assignment", home.string()});
  ASSERT_EQ(made.status, 0) << made.output;
  const Grade untouched = graded(folder.path() / "new");
  EXPECT_EQ(untouched.score.points, 0);
  EXPECT_EQ(cause_of(untouched, "builds").kind, CauseKind::not_implemented);
}

TEST_F(Programs, wrong_number_is_named_with_its_case_and_line_and_comes_again) {
  const Grade grade = graded_with(solution_with("if (i < n) sum[i]", "if (i < n && i != 200) sum[i]"));
  const Cause& cause = cause_of(grade, "correct");
  EXPECT_EQ(cause.kind, CauseKind::wrong_output);
  EXPECT_THAT(cause.message,
              AllOf(HasSubstr("standard output: number 1 of line 201 differs"), HasSubstr("(case long)")));
  EXPECT_EQ(cause.expected, "10100");
  EXPECT_EQ(cause.test, "long");
  EXPECT_THAT(cause.again, AllOf(HasSubstr("--only vector_add.p01_vector_add.correct"),
                                 HasSubstr("--case long"), HasSubstr(home.string())));
  // The other cases are right, and say so.
  EXPECT_EQ(graded(student, {"--case", "small"}).score.points, 100);
}

TEST_F(Programs, clean_names_the_line_of_a_mistake_that_the_output_hides) {
  std::string text = solution_with("const int i = blockIdx.x * blockDim.x + threadIdx.x;",
                                   "__shared__ float last;\n  const int i = blockIdx.x * blockDim.x + "
                                   "threadIdx.x;\n  last = a[0] + threadIdx.x;\n  __syncthreads();\n"
                                   "  if (last < 0) sum[0] = last;");
  const Grade grade = graded_with(text);
  EXPECT_EQ(check_of(grade, "correct").verdict, Verdict::passed);
  const Cause& cause = cause_of(grade, "clean");
  EXPECT_EQ(cause.file, "p01_vector_add.cu");
  EXPECT_EQ(cause.line, line_with(text, "last = a[0]"));
  EXPECT_THAT(cause.excerpt, testing::Not(IsEmpty()));
}

TEST_F(Programs, access_out_of_bounds_explains_a_wrong_output) {
  const std::string text = solution_with("if (i < n) sum[i] = a[i] + b[i];", "sum[i] = a[i] + b[i];");
  const Grade grade = graded_with(text);
  const Cause& correct = cause_of(grade, "correct");
  EXPECT_EQ(correct.kind, CauseKind::out_of_bounds);
  EXPECT_EQ(correct.line, line_with(text, "sum[i] = a[i] + b[i];"));
  EXPECT_EQ(cause_of(grade, "clean").kind, CauseKind::out_of_bounds);
}

TEST_F(Programs, program_that_does_not_compile_or_end_or_exit_well_is_told_so) {
  Grade grade = graded_with(solution_with("cudaFree(on_gpu_a);", "cudaFree(undeclared);"));
  EXPECT_EQ(cause_of(grade, "builds").kind, CauseKind::compile_error);
  EXPECT_EQ(check_of(grade, "correct").causes.front().kind, CauseKind::depends);
  EXPECT_EQ(grade.score.points, 0);

  grade = graded_with(
      solution_with("  if (n == 0) return 0;", "  std::fputs(\"bad\", stderr);\n  if (n == 0) return 7;"),
      only("correct"));
  const Cause& status = cause_of(grade, "correct");
  EXPECT_THAT(status.message, AllOf(HasSubstr("exit status 7"), HasSubstr("(case empty)")));
  EXPECT_EQ(status.printed, "bad");

  grade = graded_with(solution_with("  if (n == 0) return 0;", "  if (n == 0) __builtin_trap();"),
                      only("correct"));
  EXPECT_EQ(cause_of(grade, "correct").kind, CauseKind::crashed);

  change(home / "assignment.toml", "run_seconds = 20", "run_seconds = 2");
  grade =
      graded_with(solution_with("  if (n == 0) return 0;", "  for (volatile bool on = n == 0; on;) {\n  }"),
                  only("correct"));
  EXPECT_EQ(cause_of(grade, "correct").kind, CauseKind::timed_out);
  EXPECT_THAT(cause_of(grade, "correct").message, HasSubstr("after 2 s"));
}

TEST_F(Programs, work_with_files_and_several_sources) {
  change(home / "assignment.toml", "stdin     = \"cases/{case}.in\"",
         "files = [\"cases/{case}.in\"]\noutputs = [\"sum.txt\"]");
  change(home / "assignment.toml", "arguments = [\"{n}\"]", "arguments = [\"{n}\", \"{case}.in\"]");
  change(home / "assignment.toml", "expected = {stdout = ", "expected = {\"sum.txt\" = ");
  change(home / "assignment.toml", "name = \"p01_vector_add\"",
         "name = \"p01_vector_add\"\nsources = [\"main.cu\", \"*.cu\"]");
  std::string text = text_of(home / "reference/p01_vector_add.cu");
  const std::size_t from = text.find("__global__"), to = text.find("int main");
  const std::string kernel = text.substr(from, to - from);
  text.replace(from, to - from, "#include \"add.cuh\"\n");
  for (const auto& [what, by] : {std::pair<std::string, std::string>{
           "  const int n =",
           "  if (argc > 2 && !std::freopen(argv[2], \"r\", stdin)) return 2;\n  if "
           "(!std::freopen(\"sum.txt\", \"w\", stdout)) return 3;\n  const int n ="}})
    text.replace(text.find(what), what.size(), by);
  fs::remove(home / "reference/p01_vector_add.cu");
  write(home / "reference/main.cu", text);
  write(home / "reference/add.cuh",
        "__global__ void add(const float* a, const float* b, float* sum, int n);\n");
  write(home / "reference/add.cu", kernel);
  EXPECT_EQ(graded(home / "reference").score.points, 100);

  fs::copy(home / "reference", student, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  change(student / "main.cu", "\"sum.txt\"", "\"other.txt\"");
  const Cause missing = cause_of(graded(student, only("correct")), "correct");
  EXPECT_EQ(missing.kind, CauseKind::not_written);
  EXPECT_THAT(missing.message, HasSubstr("sum.txt"));
}

TEST_F(Programs, checker_of_the_course_decides) {
  change(home / "assignment.toml", "kind     = \"numbers\"\nrelative = 1e-5", "checker = \"even.cpp\"");
  write(home / "even.cpp",
        "#include <fstream>\n#include <iostream>\n#include <string>\n"
        "int main(int argc, char** argv) {\n"
        "  std::ifstream actual(argv[3]), input(argv[1]);\n  std::string word;\n"
        "  if (argc != 4 || !input) return 3;\n"
        "  while (actual >> word) {\n"
        "    if (word == \"odd\") { std::cout << \"odd is not allowed\\n\"; return 1; }\n"
        "    if (word == \"crash\") return 9;\n  }\n}\n");
  EXPECT_EQ(graded(home / "reference").score.points, 100);
  const Grade grade =
      graded_with(solution_with("std::printf(\"%g\\n\", x);", "std::puts(\"odd\");"), only("correct"));
  EXPECT_THAT(cause_of(grade, "correct").message,
              HasSubstr("standard output: odd is not allowed (case small)"));
  write(student / "p01_vector_add.cu", solution_with("std::printf(\"%g\\n\", x);", "std::puts(\"crash\");"));
  const Child fault = this->grade(student, only("correct"));
  EXPECT_EQ(fault.status, 2);
  EXPECT_THAT(fault.output,
              AllOf(HasSubstr("even.cpp: on the case small the checker ended with exit status 9")));
}

TEST_F(Programs, assignment_at_fault_fails_nobody) {
  const auto expect_fault = [&](const std::string& why) {
    const Child child = grade(home / "reference");
    EXPECT_EQ(child.status, 2) << child.output;
    EXPECT_THAT(child.output, HasSubstr(why));
    EXPECT_FALSE(fs::exists(out / "grade.json"));
  };
  fs::rename(home / "cases/long.in", home / "long.in");
  expect_fault("cases/long.in");
  fs::rename(home / "long.in", home / "cases/long.in");
  fs::rename(home / "cases/small.out", home / "small.out");
  expect_fault("cases/small.out");
  fs::rename(home / "small.out", home / "cases/small.out");
  write(student / "p01_vector_add.cu", text_of(home / "reference/p01_vector_add.cu"));
  change(home / "reference/p01_vector_add.cu", "if (n == 0) return 0;", "if (n == 300) return 4;");
  const Child child = grade(student);
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(
      child.output,
      AllOf(
          HasSubstr("the reference of p01_vector_add fails"), HasSubstr("(case long)"),
          HasSubstr("assignment.toml:" +
                    std::to_string(line_with(text_of(home / "assignment.toml"), "name   = \"long\"") - 1))));
}

TEST_F(Programs, options_that_programs_do_not_have_are_refused) {
  for (const auto& [option, value, why] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"--size", "3", "--case NAME chooses one of small, long, empty"},
           {"--case", "big", "there are: small, long, empty"},
           {"--type", "int", "--case NAME"}}) {
    const Child child = grade(home / "reference", {option, value});
    EXPECT_EQ(child.status, 2);
    EXPECT_THAT(child.output, HasSubstr(why));
  }
  const Child other = run({"grade", (root / "reference/warmup").string(), "--case", "small"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.output, HasSubstr("only assignments whose submissions are programs have cases"));
  change(home / "assignment.toml", "name = \"p01_vector_add\"", "name = \"p01_vector_add\"\nranks = [2]");
  const Child rules = grade(home / "reference");
  EXPECT_THAT(rules.output, HasSubstr("ranks is for versions that are functions"));
}

TEST_F(Programs, handout_grades_without_reference_and_secret_cases) {
  change(home / "assignment.toml", "[[case]]\nname    = \"empty\"",
         "[[case]]\nname = \"hidden\"\nsecret = true\nvalues = {n = 3}\nstdin = "
         "\"cases/h.in\"\n\n[[case]]\nname    = "
         "\"empty\"");
  write(home / "cases/h.in", "4 5 6\n1 1 1\n");
  const fs::path there = folder.path() / "handout";
  const Child made = run({"handout", there.string(), "--assignment", home.string()});
  ASSERT_EQ(made.status, 0) << made.output;
  const fs::path carried = there / ".warpmark/assignment/vector_add";
  EXPECT_TRUE(fs::exists(carried / "recorded/p01_vector_add/long/stdout"));
  EXPECT_TRUE(fs::exists(carried / "cases/small.out"));
  for (const char* name : {"cases/h.in", "recorded/p01_vector_add/hidden", "reference"})
    EXPECT_FALSE(fs::exists(carried / name)) << name;
  for (const fs::path& rules : {carried / "assignment.toml", there / "rubric.toml"})
    EXPECT_THAT(text_of(rules), testing::Not(HasSubstr("hidden"))) << rules;
  fs::copy_file(home / "reference/p01_vector_add.cu", there / "vector_add/p01_vector_add.cu",
                fs::copy_options::overwrite_existing);
  fs::remove_all(home);
  const Child child = run({"grade", (there / "vector_add").string(), "--assignment", carried.string(),
                           "--rubric", (there / "rubric.toml").string(), "--out", out.string()});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("100 of 100 points"));
}

TEST_F(Programs, kernels_are_timed_on_a_gpu_alone) {
  if (fs::exists("/dev/nvidiactl")) GTEST_SKIP() << "there is a GPU";
  change(home / "assignment.toml", "[limits]", "[fast]\ncase = \"long\"\n\n[limits]");
  change(home / "assignment.toml", "clean   = 30", "clean   = 20\nfast    = 10");
  change(home / "assignment.toml", "name = \"p01_vector_add\"",
         "name = \"p01_vector_add\"\nchecks = [\"builds\", \"correct\", \"clean\", \"fast\"]\n"
         "of_reference = 0.5");
  const Grade grade = graded(home / "reference");
  EXPECT_EQ(grade.score.points, 90);
  EXPECT_EQ(grade.score.needs_gpu, 10);
  const CheckResult& fast = check_of(grade, "fast");
  EXPECT_EQ(fast.verdict, Verdict::not_run);
  EXPECT_EQ(fast.causes.front().kind, CauseKind::no_gpu);
}

// Programs that sleep, so that their times do not depend on the machine.
TEST_F(Programs, without_kernels_are_timed_on_the_cpu) {
  fs::remove_all(home);
  write(home / "assignment.toml",
        "kind = \"program\"\ntitle = \"Answers\"\nnaive = \"p01_slow\"\n"
        "[points]\nbuilds = 1\ncorrect = 2\nfast = 4\n[require]\nkernels = 0\n"
        "[[case]]\nname = \"only\"\n[fast]\ncase = \"only\"\n"
        "[[version]]\nname = \"p01_slow\"\nsources = [\"p01_slow.cpp\"]\n"
        "checks = [\"builds\", \"correct\"]\ngiven = true\n"
        "[[version]]\nname = \"p02_quick\"\nsources = [\"p02_quick.cpp\"]\n"
        "checks = [\"builds\", \"correct\", \"fast\"]\nspeedup = 1.1\n");
  const auto sleeping = [](int ms) {
    return "#include <chrono>\n#include <cstdio>\n#include <thread>\nint main() {\n"
           "  std::this_thread::sleep_for(std::chrono::milliseconds(" +
           std::to_string(ms) + "));\n  std::puts(\"42\");\n}\n";
  };
  write(home / "reference/p01_slow.cpp", sleeping(400));
  write(home / "reference/p02_quick.cpp", sleeping(0));
  write(student / "p01_slow.cpp", sleeping(400));
  write(student / "p02_quick.cpp", sleeping(1200));
  const auto fast_of = [](const Grade& grade) {
    return *std::ranges::find(grade.checks, "vector_add.p02_quick.fast", &CheckResult::id);
  };
  const Grade slow = graded(student);
  // Where other processes take the cores, nothing is decided.
  EXPECT_THAT(fast_of(slow).verdict, testing::AnyOf(Verdict::failed, Verdict::inconclusive));
  EXPECT_EQ(fast_of(slow).engine, Engine::host);
  ASSERT_EQ(slow.measurements.size(), 1U);
  EXPECT_THAT(slow.measurements.front().decided_by, testing::AnyOf("hopeless", "noise"));
  write(student / "p02_quick.cpp", sleeping(1));
  const Grade quick = graded(student, {"--only", "p02_quick.fast"});
  ASSERT_EQ(quick.measurements.size(), 1U);
  EXPECT_GE(quick.measurements.front().rounds(), 12U);
  EXPECT_THAT(fast_of(quick).verdict, testing::AnyOf(Verdict::passed, Verdict::inconclusive));
}

TEST_F(Programs, assignment_is_checked_before_students_see_it) {
  const auto check = [&] {
    return run({"assignment", "check", home.string(), "--mutants", "8", "--out", out.string()});
  };
  const Child ready = check();
  EXPECT_EQ(ready.status, 0) << ready.output;
  EXPECT_THAT(ready.output, AllOf(HasSubstr("1 versions, 3 cases"), HasSubstr("no case is secret"),
                                  HasSubstr("Ready: nothing is left open")));
  fs::remove(home / "cases/long.in");
  const Child missing = check();
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.output, HasSubstr("cases/long.in"));
}

TEST_F(Programs, new_assignment_is_ready) {
  ASSERT_EQ(run({"assignment", "new", "sums", "--like", "program"}).status, 0);
  const Child check = run(
      {"assignment", "check", (folder.path() / "sums").string(), "--mutants", "8", "--out", out.string()});
  EXPECT_EQ(check.status, 0) << check.output;
  EXPECT_THAT(check.output, AllOf(HasSubstr("100 of 100"), HasSubstr("Ready: nothing is left open")));
}

TEST_F(Programs, unchanged_versions_keep_their_results) {
  write(student / "p01_vector_add.cu", text_of(home / "reference/p01_vector_add.cu"));
  grade(student, {"--changed"});
  EXPECT_THAT(grade(student, {"--changed"}).output, HasSubstr("kept: 1 version"));
  write(home / "cases/small.out", "11\n22\n34\n");
  const Child again = grade(student, {"--changed"});
  EXPECT_EQ(again.status, 1) << "another expected output\n" << again.output;
}

}  // namespace
}  // namespace warpmark
