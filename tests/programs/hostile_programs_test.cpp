// Programs that try to get points without the work, or to harm the machine that grades them.
#include "tests/programs/program_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// A program that takes part in the case `small` alone, with `body` in main before the right output is
// printed.
class HostilePrograms : public ProgramTest {
 protected:
  Grade graded_program(const std::string& body) const {
    return graded_with(
        "#include <cstdio>\n#include <cstdlib>\n#include <fcntl.h>\n#include <sys/stat.h>\n"
        "#include <unistd.h>\n__global__ void work() {}\nint main() {\n" +
            body + "\n  std::puts(\"11\\n22\\n33\");\n}\n",
        {"--only", "*.correct", "--case", "small"});
  }
  // Makes the file out.txt the output that counts.
  void want_a_file() const {
    change(home / "assignment.toml", "expected = {stdout = ", "expected = {\"out.txt\" = ");
  }
};

TEST_F(HostilePrograms, right_output_without_a_kernel_is_not_enough) {
  const Cause cause = cause_of(graded_program(""), "correct");
  EXPECT_EQ(cause.kind, CauseKind::no_kernel);
  EXPECT_THAT(cause.message, HasSubstr("launched no kernel"));
  EXPECT_EQ(check_of(graded_program("work<<<1, 1>>>(); cudaDeviceSynchronize();"), "correct").verdict,
            Verdict::passed)
      << "a program may still compute on the CPU: the threat model says so";
}

TEST_F(HostilePrograms, forged_records_of_launches_do_not_count) {
  const Grade grade = graded_program(
      "  for (int fd = 3; fd < 64; ++fd) {\n    const char forged[] = \"observation "
      "{\\\"launches\\\":[{\\\"kernel\\\":\\\"work\\\"}]}\\n\";\n"
      "    if (::write(fd, forged, sizeof forged - 1) < 0) continue;\n  }");
  EXPECT_EQ(check_of(grade, "correct").verdict, Verdict::failed);
}

TEST_F(HostilePrograms, endless_output_and_endless_loops_end) {
  EXPECT_EQ(cause_of(graded_program("for (;;) std::puts(\"11\");"), "correct").kind, CauseKind::output_limit);
  change(home / "assignment.toml", "run_seconds = 20", "run_seconds = 2");
  EXPECT_EQ(cause_of(graded_program("for (volatile bool on = true; on;) {\n}"), "correct").kind,
            CauseKind::timed_out);
  EXPECT_THAT(cause_of(graded_program("while (::fork() >= 0) {\n}"), "correct").kind,
              AnyOf(CauseKind::process_limit, CauseKind::timed_out));
}

TEST_F(HostilePrograms, files_that_grow_are_stopped) {
  want_a_file();
  EXPECT_EQ(cause_of(graded_program(
                         "FILE* f = std::fopen(\"out.txt\", \"w\");\n  for (;;) std::fputs(\"11\\n\", f);"),
                     "correct")
                .kind,
            CauseKind::output_limit);
  const Grade many = graded_program(
      "char name[32];\n  for (int i = 0;; ++i) {\n    std::sprintf(name, \"%d\", i);\n    if (FILE* f = "
      "std::fopen(name, \"w\")) {\n"
      "      for (int k = 0; k < 100000; ++k) std::fputs(\"11\\n\", f);\n      std::fclose(f);\n    }\n  }");
  EXPECT_EQ(cause_of(many, "correct").kind, CauseKind::output_limit);
}

TEST_F(HostilePrograms, output_that_is_no_file_of_its_own_is_not_read) {
  want_a_file();
  const std::string target = (home / "cases/small.out").string();
  for (const auto& [body, what] : std::vector<std::pair<std::string, std::string>>{
           {"::symlink(\"" + target + "\", \"out.txt\");", "a symbolic link"},
           {"::symlink(\"/etc/passwd\", \"out.txt\");", "a symbolic link"},
           {"::mkfifo(\"out.txt\", 0666);", "a pipe"},
           {"::mkdir(\"out.txt\", 0777);", "a folder"},
           {"int f = ::open(\"x\", O_CREAT | O_WRONLY, 0666); ::write(f, \"11\\n22\\n33\\n\", 9); "
            "::link(\"x\", \"out.txt\");",
            "regular file of its own"}}) {
    const Cause cause = cause_of(graded_program(body), "correct");
    EXPECT_EQ(cause.kind, CauseKind::wrong_output) << body;
    EXPECT_THAT(cause.message, HasSubstr(what)) << body;
  }
  change(home / "assignment.toml", "\"out.txt\" = ", "\"d/out.txt\" = ");
  EXPECT_THAT(cause_of(graded_program("::symlink(\"" + target.substr(0, target.rfind('/')) + "\", \"d\");"),
                       "correct")
                  .message,
              HasSubstr("a symbolic link"));
}

TEST_F(HostilePrograms, expected_outputs_and_other_files_are_out_of_reach) {
  if (const Child doctor = run({"grade", (home / "reference").string(), "--assignment", home.string(),
                                "--sandbox", "box", "--only", "*.builds", "--out", out.string()});
      doctor.status == 2)
    GTEST_SKIP() << "not run: no box on this machine: " << doctor.output;
  const std::string secret = (home / "cases/small.out").string();
  const Grade grade = graded_program("if (FILE* f = std::fopen(\"" + secret +
                                     "\", \"r\")) { std::puts(\"found\"); std::fclose(f); }\n"
                                     "  if (::getenv(\"WARPMARK_TEST_SECRET\")) std::puts(\"told\");\n  "
                                     "work<<<1, 1>>>(); cudaDeviceSynchronize();");
  EXPECT_EQ(check_of(grade, "correct").verdict, Verdict::passed)
      << check_of(grade, "correct").causes.front().actual;
}

TEST_F(HostilePrograms, no_source_can_include_what_the_assignment_expects) {
  write(home / "vectors.h", "#define PRINTED \"given\"\n");
  const std::string head = "#include <cstdio>\n#include \"vectors.h\"\n";
  const Grade header = graded_with(head + "int main() { std::puts(PRINTED); }\n", only("builds"));
  EXPECT_EQ(check_of(header, "builds").causes.size(), 0U);
  for (const std::string& path :
       std::vector<std::string>{std::string("cases/small.out"), (home / "cases/small.out").string(),
                                "../vector_add/cases/small.out"}) {
    const Grade grade = graded_with(
        head + "int numbers[] = {\n#include \"" + path + "\"\n};\nint main() {}\n", only("builds"));
    EXPECT_EQ(cause_of(grade, "builds").kind, CauseKind::compile_error) << path;
    const Grade assembled =
        graded_with(head + "asm(\".data\\n.incbin \\\"" + path + "\\\"\\n.text\");\nint main() {}\n",
                    {"--only", "*.correct", "--case", "small"});
    EXPECT_EQ(check_of(assembled, "correct").verdict == Verdict::passed, false) << path;
  }
}

TEST_F(HostilePrograms, input_of_the_course_cannot_be_changed) {
  const std::string before = text_of(home / "cases/small.in");
  graded_program(
      "int f = ::open(\"/proc/self/fd/0\", O_WRONLY | O_TRUNC); if (f >= 0) ::write(f, \"9\", 1);");
  EXPECT_EQ(text_of(home / "cases/small.in"), before);
}

TEST_F(HostilePrograms, markup_and_bytes_of_an_output_stay_text_in_reports) {
  const Grade grade = graded_program("std::puts(\"<script>alert(1)</script>\\x01\\xff\");");
  EXPECT_EQ(cause_of(grade, "correct").kind, CauseKind::wrong_output);
  EXPECT_THAT(text_of(out / "index.html"), Not(HasSubstr("<script>alert(1)")));
}

}  // namespace
}  // namespace warpmark
