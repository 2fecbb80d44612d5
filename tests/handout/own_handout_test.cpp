// The handout of an instructor's own assignment, on a machine that has nothing but the handout and Warpmark.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/handout/handout.h"
#include "harness/handout/own_assignment.h"
#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class OwnHandout : public CommandTest {
 protected:
  OwnHandout() { fs::copy(WARPMARK_HISTOGRAM, home, fs::copy_options::recursive); }

  // Makes the handout and hides the assignment, as at a student's.
  void hand_out(const std::string& command) {
    const Child made = run({command, mine.string(), "--assignment", home.string()});
    ASSERT_EQ(made.status, 0) << made.output;
    EXPECT_THAT(made.output, Not(HasSubstr("WARPMARK_ASSIGNMENTS")));
  }
  void lose_the_assignment() const { fs::rename(home, folder.path() / "lost"); }
  Child call(const std::vector<std::string>& arguments, const std::string& path = "") const {
    const char* usual = std::getenv("PATH");
    return run_child(arguments, {{"PATH", path + (usual != nullptr ? usual : "/usr/bin:/bin")}}, mine);
  }
  Grade grade_by_readme() const {
    const Child child =
        call({WARPMARK_CLI, "grade", "histogram", "--assignment", ".warpmark/assignment/histogram",
              "--rubric", "rubric.toml", "--engine", "simulator", "--out", out.string()});
    auto read = grade_from_json(read_file(out / "grade.json").value_or(""));
    if (!read) throw std::runtime_error(child.output);
    return std::move(*read);
  }

  const fs::path home = folder.path() / "histogram";
  const fs::path mine = folder.path() / "hand out";
};

TEST_F(OwnHandout, grades_without_the_assignments_folder) {
  hand_out("handout");
  EXPECT_THAT(read_file(mine / "README.md").value_or(""),
              HasSubstr("\nwarpmark grade histogram --assignment .warpmark/assignment/histogram "
                        "--rubric rubric.toml\n"));
  EXPECT_THAT(read_file(mine / "README.md").value_or(""), HasSubstr("another version has another name"));
  for (const auto& entry : fs::recursive_directory_iterator(mine)) {
    if (entry.is_regular_file())
      EXPECT_THAT(read_file(entry.path()).value_or(""), Not(ContainsRegex("@[A-Z][A-Z_]+@"))) << entry.path();
  }
  const fs::path solution = home / "reference/h02_shared.cu";
  const std::string solved = read_file(solution).value_or("");
  lose_the_assignment();
  Grade grade = grade_by_readme();
  EXPECT_EQ(grade.score.points, 0);
  EXPECT_EQ(grade.score.possible, 100);
  const auto builds = std::ranges::find(grade.checks, "histogram.h02_shared.builds", &CheckResult::id);
  ASSERT_NE(builds, grade.checks.end());
  EXPECT_EQ(builds->causes.front().kind, CauseKind::not_implemented);

  ASSERT_TRUE(write_file(mine / "histogram/h02_shared.cu", solved));
  grade = grade_by_readme();
  EXPECT_EQ(grade.score.points, 70) << "all but `fast`, which needs a GPU";
  EXPECT_EQ(grade.score.open, 30);
}

TEST_F(OwnHandout, shows_a_version_that_passed_beside_the_solution_that_it_does_not_hold) {
  const Child recorded = run({"assignment", "check", home.string(), "--record", "--quiet"});
  ASSERT_EQ(recorded.status, 0) << recorded.output;
  EXPECT_THAT(recorded.output, HasSubstr("the work of the solutions of 2 versions"));
  hand_out("handout");
  const std::string solved = read_file(home / "reference/h02_shared.cu").value_or("");
  lose_the_assignment();
  // Each lane reads every second key, so that a warp touches twice as many sectors.
  std::string twice = solved;
  const std::string own = "threadIdx.x; i < n";
  twice.replace(twice.find(own), own.size(),
                "(threadIdx.x / 64 * 64 + threadIdx.x % 32 * 2 + threadIdx.x / 32 % 2); i < n");
  ASSERT_TRUE(write_file(mine / "histogram/h02_shared.cu", twice));
  Grade grade = grade_by_readme();
  ASSERT_EQ(grade.passed.size(), 2U);
  EXPECT_EQ(grade.passed[0].next, "h02_shared");
  EXPECT_EQ(grade.passed[0].teaches,
            "Each block counts in shared memory and adds its bins to the global ones.");
  ASSERT_TRUE(grade.passed[1].reference);
  EXPECT_NEAR(grade.passed[1].work->sectors, 2 * grade.passed[1].reference->sectors,
              0.1 * grade.passed[1].work->sectors);
  const std::string page = read_file(out / "index.html").value_or("");
  EXPECT_THAT(page, AllOf(HasSubstr(">Reference</th>"), HasSubstr("Half of the sectors are not needed"),
                          Not(HasSubstr("Your grade of"))));

  ASSERT_TRUE(write_file(mine / "histogram/h02_shared.cu", solved));
  const double before = grade.passed[1].work->sectors;
  grade = grade_by_readme();
  ASSERT_TRUE(grade.passed[1].last);
  EXPECT_EQ(grade.passed[1].last->work.sectors, before);
  EXPECT_THAT(read_file(out / "index.html").value_or(""),
              AllOf(HasSubstr("Your grade of"), HasSubstr("no figure stands out beside the reference")));

  const fs::path carried = mine / ".warpmark/assignment/histogram/reference.json";
  ASSERT_TRUE(fs::exists(carried));
  fs::remove(carried);
  grade = grade_by_readme();
  EXPECT_EQ(grade.score.points, 70);
  EXPECT_FALSE(grade.passed[1].reference);
  EXPECT_THAT(read_file(out / "index.html").value_or(""), Not(HasSubstr(">Reference</th>")));
}

TEST_F(OwnHandout, is_refused_with_a_record_that_cannot_be_read) {
  ASSERT_TRUE(write_file(home / "reference.json", "{\"schema\": \"warpmark.reference/1\"}"));
  const Child made = run({"handout", mine.string(), "--assignment", home.string()});
  EXPECT_EQ(made.status, 2);
  EXPECT_THAT(made.output, AllOf(HasSubstr((home / "reference.json").string()),
                                 HasSubstr("`warpmark assignment check NAME --record`")));
}

TEST_F(OwnHandout, is_graded_by_ctest_and_by_its_ci_job) {
  hand_out("handout");
  const std::string solved = read_file(home / "reference/h02_shared.cu").value_or("");
  lose_the_assignment();
  ASSERT_TRUE(write_file(mine / "histogram/h02_shared.cu", solved));
  ASSERT_EQ(
      call({WARPMARK_CMAKE, "--preset", "student", std::string("-DWARPMARK_PROGRAM=") + WARPMARK_CLI}).status,
      0);
  const std::string flags = read_file(mine / "compile_flags.txt").value_or("");
  EXPECT_THAT(flags, HasSubstr("-I" + (mine / ".warpmark/assignment/histogram").string() + "\n"));
  const Child child = call({WARPMARK_CTEST, "--preset", "student", "-R", "h02"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, ContainsRegex("histogram.h02_shared.correct [.]+ +Passed"));

  const fs::path bin = folder.path() / "bin";
  fs::create_directories(bin);
  fs::create_symlink(WARPMARK_CLI, bin / "warpmark");
  const Child job = call({"/usr/bin/env", "bash", ".warpmark/grade", "gitlab"}, bin.string() + ":");
  EXPECT_EQ(job.status, 0) << job.output;
  EXPECT_TRUE(fs::exists(mine / "warpmark-out/ci/junit.xml"));
}

TEST_F(OwnHandout, new_submission_is_graded_by_the_folder_that_it_was_made_from) {
  hand_out("new");
  EXPECT_FALSE(fs::exists(mine / ".warpmark"));
  fs::copy_file(home / "reference/h02_shared.cu", mine / "h02_shared.cu",
                fs::copy_options::overwrite_existing);
  ASSERT_EQ(
      call({WARPMARK_CMAKE, "--preset", "student", std::string("-DWARPMARK_PROGRAM=") + WARPMARK_CLI}).status,
      0);
  const Child child = call({WARPMARK_CTEST, "--preset", "student", "-R", "h02"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, ContainsRegex("histogram.h02_shared.clean [.]+ +Passed"));
}

TEST_F(OwnHandout, of_an_assignment_without_a_readme_has_a_short_one) {
  fs::remove(home / "README.md");
  hand_out("handout");
  EXPECT_THAT(read_file(mine / "README.md").value_or(""), HasSubstr("](histogram/README.md)"));
  EXPECT_THAT(
      read_file(mine / "histogram/README.md").value_or(""),
      AllOf(HasSubstr("[histogram.h](histogram.h)"), HasSubstr("\n| `h01_global_atomics.cu` | given. "),
            HasSubstr("\n| `h02_shared.cu` | "), Not(HasSubstr("| `h02_shared.cu` |  |"))));
}

TEST_F(OwnHandout, holds_given_files_and_no_solution) {
  ASSERT_TRUE(write_file(home / "helper.h", "// for expected.cpp\n"));
  ASSERT_TRUE(write_file(home / "notes.txt", "for the instructor\n"));
  ASSERT_TRUE(write_file(home / "reference/secret.h", "// <reference only>\n"));
  hand_out("handout");
  const fs::path carried = mine / ".warpmark/assignment/histogram";
  for (const char* name : {"assignment.toml", "histogram.h", "expected.cpp", "helper.h",
                           "reference/h01_global_atomics.cu", "stubs/h02_shared.cu"})
    EXPECT_TRUE(fs::exists(carried / name)) << name;
  for (const char* name : {"notes.txt", "reference/h02_shared.cu", "reference/secret.h"})
    EXPECT_FALSE(fs::exists(carried / name)) << name;
  const std::string stub = read_file(carried / "stubs/h02_shared.cu").value_or("");
  EXPECT_EQ(stub, read_file(mine / "histogram/h02_shared.cu").value_or("none"));
  EXPECT_THAT(stub, AllOf(HasSubstr("TODO"), Not(HasSubstr("atomicAdd"))));
}

TEST_F(OwnHandout, is_refused_with_a_solution_that_has_no_marks) {
  const fs::path solution = home / "reference/h02_shared.cu";
  std::string text = read_file(solution).value_or("");
  for (const char* mark : {"// <solution>", "// </solution>", "// <stub>"}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.erase(text.rfind('\n', at), text.find('\n', at) - text.rfind('\n', at));
  }
  ASSERT_TRUE(write_file(solution, text));
  const std::string package = (folder.path() / "warpmark_1.2.3_amd64.deb").string();
  ASSERT_TRUE(write_file(package, "a package"));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"handout", mine.string()},
        {"handout", mine.string(), "--for", "gradescope", "--package", package},
        {"new", mine.string()}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--assignment", home.string()});
    const Child child = run(arguments);
    EXPECT_EQ(child.status, 2) << child.output;
    EXPECT_THAT(child.output, AllOf(HasSubstr(solution.string() + ": it has no marks"),
                                    HasSubstr("students would get the solution of h02_shared"),
                                    HasSubstr("// <solution>"), HasSubstr("given = true")));
    EXPECT_FALSE(fs::exists(mine));
  }
  // What students start from may be written by hand; the solution stays at home all the same.
  fs::create_directories(home / "stubs");
  ASSERT_TRUE(write_file(home / "stubs/h02_shared.cu", "#include \"histogram.h\"\n// TODO: count\n"));
  fs::copy_file(home / "reference/h01_global_atomics.cu", home / "stubs/h01_global_atomics.cu");
  hand_out("handout");
  for (const auto& entry : fs::recursive_directory_iterator(mine)) {
    if (entry.is_regular_file()) EXPECT_NE(read_file(entry.path()).value_or(""), text) << entry.path();
  }
  EXPECT_TRUE(fs::exists(mine / ".warpmark/assignment/histogram/reference/h01_global_atomics.cu"));
}

TEST_F(OwnHandout, is_refused_for_a_name_that_its_files_would_misread) {
  for (const char* name : {"hist ogram", "hist;ogram", "hist$(touch x)", "-histogram", "histogr\u00e4m"}) {
    const fs::path odd = folder.path() / name;
    fs::copy(home, odd, fs::copy_options::recursive);
    for (const char* command : {"handout", "new"}) {
      const Child child = run({command, mine.string(), "--assignment", odd.string()});
      EXPECT_EQ(child.status, 2) << child.output;
      EXPECT_THAT(child.output, AllOf(HasSubstr(odd.string() + ": "), HasSubstr("rename it")));
      EXPECT_FALSE(fs::exists(mine));
    }
  }
}

TEST(RulesWithoutSolutions, leave_out_the_quoted_lines) {
  const auto shown = [](const std::string& text) {
    return handout::rules_for(text, {}, handout::Reader::grader, "assignment.toml").value_or("unreadable");
  };
  EXPECT_EQ(shown("title = \"t\"\nequivalent = [\n  {line = \"a[i]\", edit = \"x\"},\n]\nnaive = \"n\"\n"),
            "title = \"t\"\nnaive = \"n\"\n");
  EXPECT_EQ(shown("a = 1\n[[equivalent]]\nline = \"b\"\nedit = \"x\"\n[points]\nfast = 1\n[[equivalent]]\n"
                  "line = \"c\"\nedit = \"x\"\n"),
            "a = 1\n[points]\nfast = 1\n");
  EXPECT_EQ(shown("a = 1 # kept as it is\n"), "a = 1 # kept as it is\n");
}

}  // namespace
}  // namespace warpmark
