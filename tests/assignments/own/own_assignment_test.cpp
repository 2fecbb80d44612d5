// An instructor's own assignment in the plain form, graded on the simulator as a user does.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// A copy of the assignment `histogram`, in which a test may break something.
class OwnAssignment : public CommandTest {
 protected:
  void SetUp() override { fs::copy(WARPMARK_HISTOGRAM, home, fs::copy_options::recursive); }

  static std::string text_of(const fs::path& file) {
    auto text = read_file(file);
    EXPECT_TRUE(text) << text.error().message;
    return text.value_or("");
  }
  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(file, text));
  }
  // Replaces text in a file that must hold it.
  static void change(const fs::path& file, std::string_view what, std::string_view by) {
    std::string text = text_of(file);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << file << " does not hold " << what;
    write(file, text.replace(at, what.size(), by));
  }
  static int line_with(const fs::path& file, std::string_view what) {
    const std::string text = text_of(file);
    const std::string_view before = std::string_view(text).substr(0, text.find(what));
    return static_cast<int>(std::ranges::count(before, '\n')) + 1;
  }

  Child grade(const fs::path& submission, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"grade",    submission.string(), "--assignment", home.string(),
                                       "--engine", "simulator",         "--out",        out.string(),
                                       "--seed",   "20261122"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
  // Grades and reads the grade that was written.
  Grade graded(const fs::path& submission, const std::vector<std::string>& more = {}) const {
    const Child child = grade(submission, more);
    const auto text = read_file(out / "grade.json");
    if (!text) throw std::runtime_error(child.output);
    auto read = grade_from_json(*text);
    if (!read) throw std::runtime_error(read.error().message);
    EXPECT_EQ(read->exit_status, child.status) << child.output;
    return std::move(*read);
  }
  // Grades a solution of h02_shared alone; h01_global_atomics is given.
  Grade graded_with(const std::string& h02) const {
    write(student / "h02_shared.cu", h02);
    return graded(student, {"--only", "*h02*"});
  }
  // The reference of h02_shared with one change.
  std::string changed(std::string_view what, std::string_view by) const {
    std::string text = text_of(home / "reference/h02_shared.cu");
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << "the reference does not hold " << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
  }
  static const CheckResult& check_of(const Grade& grade, const std::string& id) {
    const auto found = std::ranges::find(grade.checks, "histogram." + id, &CheckResult::id);
    if (found == grade.checks.end()) throw std::runtime_error("the grade has no check histogram." + id);
    return *found;
  }
  static std::map<std::string, std::string> verdicts(const Grade& grade) {
    std::map<std::string, std::string> all;
    for (const CheckResult& check : grade.checks) all[check.id] = name_of(check.verdict);
    return all;
  }

  // Grades the reference, although the assignment is at fault: nothing is decided, and the message begins at
  // a place.
  void expect_fault(const std::string& place, const testing::Matcher<std::string>& why) const {
    const Child child = grade(home / "reference");
    EXPECT_EQ(child.status, 2) << "nobody failed: nothing was graded\n" << child.output;
    EXPECT_THAT(child.output, AllOf(HasSubstr(place), why));
    EXPECT_THAT(child.output, Not(HasSubstr("points"))) << "a grade was printed";
    EXPECT_FALSE(fs::exists(out / "grade.json"));
  }

  const fs::path home = folder.path() / "histogram";
  const fs::path student = folder.path() / "ada";
  const fs::path expected = home / "expected.cpp";
  const fs::path rules = home / "assignment.toml";
};
using OwnAssignmentLong = OwnAssignment;

TEST_F(OwnAssignment, gives_its_reference_all_points_but_those_of_speed) {
  const Grade grade = graded(home / "reference");
  EXPECT_EQ(grade.assignment, "histogram");
  EXPECT_EQ(grade.exit_status, 0);
  EXPECT_EQ(verdicts(grade),
            (std::map<std::string, std::string>{{"histogram.h01_global_atomics.builds", "passed"},
                                                {"histogram.h01_global_atomics.correct", "passed"},
                                                {"histogram.h01_global_atomics.clean", "passed"},
                                                {"histogram.h02_shared.builds", "passed"},
                                                {"histogram.h02_shared.correct", "passed"},
                                                {"histogram.h02_shared.clean", "passed"},
                                                {"histogram.h02_shared.work", "passed"},
                                                {"histogram.h02_shared.fast", "not_run"}}));
  EXPECT_EQ(grade.score.points, 70);
  EXPECT_EQ(grade.score.possible, 100);
}

TEST_F(OwnAssignment, is_found_on_the_search_path_by_the_names_of_files) {
  write(student / "h02_shared.cu", text_of(home / "reference/h02_shared.cu"));
  const Child child =
      run_child({WARPMARK_CLI, "grade", (home / "reference").string(), "--engine", "simulator", "--only",
                 "*.builds", "--out", out.string()},
                {{"PATH", "/usr/bin:/bin"}, {"WARPMARK_ASSIGNMENTS", folder.path().string()}}, folder.path());
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("histogram: reference"));
}

TEST_F(OwnAssignment, knows_a_stub_that_was_handed_in_as_it_was) {
  const std::string reference = text_of(home / "reference/h02_shared.cu");
  const std::size_t begin = reference.find("  for (unsigned b");
  const std::string_view end_mark = "  // </solution>\n";
  std::string stub =
      reference.substr(0, begin) + reference.substr(reference.find(end_mark) + end_mark.size());
  stub.erase(stub.find("<solution> "), std::string_view("<solution> ").size());
  const Grade grade = graded_with(stub);
  EXPECT_EQ(check_of(grade, "h02_shared.builds").causes.front().kind, CauseKind::not_implemented);
  EXPECT_EQ(grade.score.points, 0);
}

TEST_F(OwnAssignment, sees_the_naive_version_under_another_name_by_its_work) {
  std::string naive = text_of(home / "reference/h01_global_atomics.cu");
  for (std::size_t at = naive.find("h01_global_atomics"); at != std::string::npos;
       at = naive.find("h01_global_atomics"))
    naive.replace(at, std::string_view("h01_global_atomics").size(), "h02_shared");
  const Grade grade = graded_with(naive);
  EXPECT_EQ(check_of(grade, "h02_shared.correct").verdict, Verdict::passed);
  EXPECT_EQ(check_of(grade, "h02_shared.clean").verdict, Verdict::passed);
  const CheckResult& work = check_of(grade, "h02_shared.work");
  EXPECT_EQ(work.verdict, Verdict::failed);
  const Cause& cause = work.causes.front();
  EXPECT_EQ(cause.kind, CauseKind::too_much_work);
  EXPECT_THAT(cause.message, HasSubstr("count in shared memory, then add the block's bins"));
  EXPECT_EQ(cause.file, "h02_shared.cu");
  EXPECT_EQ(cause.line, line_with(student / "h02_shared.cu", "atomicAdd"));
  EXPECT_EQ(grade.exit_status, 1);
}

TEST_F(OwnAssignment, names_the_wrong_bin_at_the_smallest_size_and_how_to_see_it_again) {
  const Grade grade = graded_with(changed("i < n; i += stride", "i + 1 < n; i += stride"));
  const CheckResult& correct = check_of(grade, "h02_shared.correct");
  ASSERT_EQ(correct.verdict, Verdict::failed);
  const Cause& cause = correct.causes.front();
  EXPECT_EQ(cause.kind, CauseKind::wrong_output);
  EXPECT_THAT(cause.message, HasSubstr("bins[0] is wrong (n = 1, bin_count = 1)"));
  EXPECT_EQ(cause.expected, "1");
  EXPECT_EQ(cause.actual, "0");
  EXPECT_THAT(cause.again, AllOf(HasSubstr("--size 1,1"), HasSubstr("--seed 0x"), HasSubstr(home.string())));
  EXPECT_EQ(check_of(grade, "h02_shared.clean").verdict, Verdict::passed);
}

TEST_F(OwnAssignment, shows_a_failure_again_at_its_size) {
  write(student / "h02_shared.cu", changed("i < n; i += stride", "i + 1 < n; i += stride"));
  const Child child = grade(student, {"--only", "h02_shared.correct", "--size", "33,7"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("(n = 33, bin_count = 7)"));
  for (const auto& [size, why] : {std::pair{"33", "a size of histogram has 2 parts: n,bin_count"},
                                  {"33,7,1", "a size of histogram has 2 parts: n,bin_count"},
                                  {"many", "\"many\""}}) {
    const Child refused = grade(student, {"--size", size});
    EXPECT_EQ(refused.status, 2) << refused.output;
    EXPECT_THAT(refused.output, HasSubstr(why)) << size;
  }
}

TEST_F(OwnAssignment, finds_a_race_in_shared_memory_with_its_line) {
  const Grade grade = graded_with(changed("atomicAdd(&mine[keys[i]], 1u);", "++mine[keys[i]];"));
  const CheckResult& clean = check_of(grade, "h02_shared.clean");
  ASSERT_EQ(clean.verdict, Verdict::failed);
  EXPECT_EQ(clean.causes.front().kind, CauseKind::race);
  EXPECT_EQ(clean.causes.front().line, line_with(student / "h02_shared.cu", "++mine"));
  EXPECT_EQ(check_of(grade, "h02_shared.correct").verdict, Verdict::failed);
}

TEST_F(OwnAssignment, finds_bins_that_were_not_zeroed) {
  const Grade grade =
      graded_with(changed("  cudaMemsetAsync(bins, 0, bin_count * sizeof(unsigned), stream);\n", ""));
  EXPECT_EQ(check_of(grade, "h02_shared.correct").verdict, Verdict::failed);
  const CheckResult& clean = check_of(grade, "h02_shared.clean");
  ASSERT_EQ(clean.verdict, Verdict::failed);
  EXPECT_EQ(clean.causes.front().kind, CauseKind::uninitialised_read);
  EXPECT_EQ(clean.causes.front().line, line_with(student / "h02_shared.cu", "atomicAdd(&bins"));
}

TEST_F(OwnAssignment, finds_writes_past_the_end_of_the_bins) {
  const Grade grade = graded_with(changed("    if (mine[b] != 0) atomicAdd(&bins[b], mine[b]);",
                                          "    atomicAdd(&bins[b + (bin_count == 7)], mine[b]);"));
  const CheckResult& clean = check_of(grade, "h02_shared.clean");
  ASSERT_EQ(clean.verdict, Verdict::failed);
  EXPECT_EQ(clean.causes.front().kind, CauseKind::out_of_bounds);
  EXPECT_THAT(clean.causes.front().message, HasSubstr("bins"));
}

TEST_F(OwnAssignment, refuses_a_submission_that_changes_its_input) {
  const Grade grade = graded_with(changed("  if (n > 0) count<<<",
                                          "  if (n > 0) cudaMemsetAsync(const_cast<unsigned char*>(keys), 0, "
                                          "1, stream);\n  if (n > 0) count<<<"));
  const CheckResult& correct = check_of(grade, "h02_shared.correct");
  ASSERT_EQ(correct.verdict, Verdict::failed);
  EXPECT_THAT(correct.causes, Contains(testing::Field(&Cause::message, HasSubstr("keys"))));
}

TEST_F(OwnAssignment, whose_answer_crashes_is_at_fault_with_the_line_and_the_size) {
  change(expected, "++bins[keys[i]];",
         "++bins[keys[i]];\n  if (n == 1000) *const_cast<volatile unsigned char*>(static_cast<const unsigned "
         "char*>(nullptr)) = 1;");
  expect_fault(fmt::format("{}:{}: ", expected.string(), line_with(expected, "n == 1000")),
               AllOf(HasSubstr("`expected`"), HasSubstr("size 1000,256"), HasSubstr("signal 11"),
                     HasSubstr("a fault of the assignment, not of a submission")));
}

TEST_F(OwnAssignment, whose_answer_ends_the_program_is_at_fault) {
  change(expected, "#include \"histogram.h\"", "#include \"histogram.h\"\n#include <cstdlib>");
  change(expected, "bins[b] = 0;", "std::exit(0);");
  expect_fault(expected.string() + ": ", AllOf(HasSubstr("`expected`"), HasSubstr("exit status 0"),
                                               HasSubstr("a fault of the assignment")));
}

TEST_F(OwnAssignmentLong, whose_answer_does_not_end_is_at_fault_with_the_line_of_the_loop) {
  change(expected, "++bins[keys[i]];",
         "++bins[keys[i]];\n  for (volatile bool forever = n == 33; forever;) {\n  }");
  expect_fault(fmt::format("{}:{}: ", expected.string(), line_with(expected, "forever")),
               AllOf(HasSubstr("`expected`"), HasSubstr("size 33,7"), HasSubstr("did not come back"),
                     HasSubstr("a fault of the assignment")));
}

TEST_F(OwnAssignment, whose_answer_changes_an_input_is_at_fault) {
  change(expected, "++bins[keys[i]];",
         "++bins[keys[i]];\n  if (n == 33) const_cast<unsigned char*>(keys)[3] ^= 1;");
  expect_fault(expected.string() + ": ", AllOf(HasSubstr("`expected` changes its input `keys` at size 33,7"),
                                               HasSubstr("copy what must be changed")));
}

TEST_F(OwnAssignment, whose_answer_does_not_compile_is_at_fault_with_the_compilers_words) {
  change(expected, "++bins[keys[i]];", "++bins[kees[i]];");
  expect_fault(fmt::format("{}:{}: ", expected.string(), line_with(expected, "kees")), HasSubstr("kees"));
}

TEST_F(OwnAssignment, whose_answer_is_missing_is_at_fault) {
  const std::string whole = text_of(expected);
  fs::remove(expected);
  expect_fault(expected.string() + " is missing", HasSubstr("the right answer"));
  write(expected, "int answer;\n");
  expect_fault(expected.string() + ": ", HasSubstr("it must define extern \"C\" expected"));
}

TEST_F(OwnAssignment, whose_call_names_an_unknown_buffer_is_at_fault_with_its_line) {
  change(rules, "version(keys, n, bins", "version(keys, n, bin");
  expect_fault(fmt::format("{}:{}:", rules.string(), line_with(rules, "version(")),
               AllOf(HasSubstr("bin"), Not(HasSubstr("adapter.cu"))));
}

TEST_F(OwnAssignment, whose_call_does_not_suit_the_contract_is_at_fault_with_its_line) {
  change(rules, "version(keys, n, bins", "version(n, keys, bins");
  expect_fault(fmt::format("{}:{}:", rules.string(), line_with(rules, "version(")),
               HasSubstr("const unsigned char *"));
}

TEST_F(OwnAssignment, whose_rules_are_broken_is_at_fault_with_their_line) {
  change(rules, "role  = \"input\"", "role  = \"inptu\"");
  expect_fault(fmt::format("{}:{}: ", rules.string(), line_with(rules, "inptu")),
               HasSubstr("must be input, output, in_out or scratch"));
}

TEST_F(OwnAssignment, whose_data_cannot_be_drawn_is_at_fault_with_the_buffers_line) {
  change(rules, "high  = \"min(bin_count, 256) - 1\"", "high  = \"bin_count - 1\"");
  change(rules, "secret    = {count = 4, n = [1, 100000], bin_count = [1, 1024]}",
         "secret    = {count = 4, n = [1, 1000], bin_count = [257, 1024]}");
  expect_fault(fmt::format("{}:{}: ", rules.string(), line_with(rules, "[[buffer]]")),
               AllOf(HasSubstr("keys"), HasSubstr("unsigned char"), HasSubstr("cannot hold the bound")));
}

TEST_F(OwnAssignment, whose_answer_is_nan_is_at_fault) {
  change(rules, "type  = \"unsigned int\"", "type  = \"float\"");
  change(home / "histogram.h", "unsigned* bins", "float* bins");
  for (const char* file : {"h01_global_atomics.cu", "h02_shared.cu"})
    write(home / "reference" / file,
          fmt::format(
              "#include \"histogram.h\"\n__global__ void k(float* b) {{ *b = 1; }}\nextern \"C\" void {}"
              "(const unsigned char*, std::size_t, float* b, std::size_t, cudaStream_t s) {{ k<<<1, 1, "
              "0, s>>>(b); }}\n",
              fs::path(file).stem().string()));
  write(
      expected,
      "#include \"histogram.h\"\nextern \"C\" void expected(const unsigned char*, std::size_t, float* b, "
      "std::size_t n, cudaStream_t) {\n  for (std::size_t i = 0; i < n; ++i) b[i] = 0.0F / (i == 6 ? 0.0F : "
      "1.0F);\n}\n");
  expect_fault(rules.string() + ":",
               AllOf(HasSubstr("`expected` gives NaN in bins[6] at size "), HasSubstr("bits = true")));
}

TEST_F(OwnAssignment, is_listed_without_the_control_characters_of_its_title) {
  change(rules, "\"Histogram of bytes\"", R"("\u001b[31mHistogram\u202e of bytes")");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"assignments", home.string()}, {"assignments"}}) {
    std::vector<std::string> all{WARPMARK_CLI};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Child child = run_child(
        all, {{"PATH", "/usr/bin:/bin"}, {"WARPMARK_ASSIGNMENTS", folder.path().string()}}, folder.path());
    EXPECT_EQ(child.status, 0) << child.output;
    EXPECT_THAT(child.output, AllOf(HasSubstr("\\x1b[31mHistogram\\u202e of bytes"), Not(HasSubstr("\x1b")),
                                    Not(HasSubstr("\u202e"))));
  }
}

TEST_F(OwnAssignment, with_a_class_of_data_that_nobody_makes_is_at_fault) {
  change(rules, "\"ascending\"]", "\"sparse\"]");
  expect_fault(rules.string(),
               AllOf(HasSubstr("\"sparse\""), HasSubstr("make_keys"), HasSubstr("built in: uniform")));
}

TEST_F(OwnAssignment, may_make_a_class_of_data_of_its_own) {
  change(rules, "\"ascending\"]", "\"one_key\"]");
  write(home / "data.cpp",
        "#include <cstddef>\n#include <cstdint>\n#include <cstring>\n"
        "extern \"C\" void make_keys(void* target, std::size_t count, const std::size_t* sizes, const char* "
        "name, std::uint64_t seed) {\n"
        "  if (std::strcmp(name, \"one_key\") != 0) __builtin_trap();\n"
        "  for (std::size_t i = 0; i < count; ++i) static_cast<unsigned char*>(target)[i] = seed % (sizes[1] "
        "< 256 ? sizes[1] : 256);\n"
        "}\n");
  const Grade grade = graded(home / "reference", {"--only", "*.correct"});
  EXPECT_EQ(grade.exit_status, 0);
  for (const CheckResult& check : grade.checks) EXPECT_EQ(check.verdict, Verdict::passed) << check.id;
}

TEST_F(OwnAssignment, whose_data_leave_their_bounds_or_their_target_is_at_fault) {
  change(rules, "\"ascending\"]", "\"one_key\"]");
  const auto make = [&](const std::string& body) {
    write(
        home / "data.cpp",
        "#include <cstddef>\n#include <cstdint>\n"
        "extern \"C\" void make_keys(void* target, std::size_t count, const std::size_t* sizes, const char*, "
        "std::uint64_t) {\n  auto* keys = static_cast<unsigned char*>(target);\n  " +
            body + "\n}\n");
  };
  make("for (std::size_t i = 0; i < count; ++i) keys[i] = sizes[1] < 256 ? sizes[1] : 0;");
  expect_fault(fmt::format("{}:{}: ", rules.string(), line_with(rules, "[[buffer]]")),
               AllOf(HasSubstr("make_keys of data.cpp sets element 0 of class \"one_key\" to 1"),
                     HasSubstr("not between low and high")));
  make("for (std::size_t i = 0; count > 0 && i <= count; ++i) keys[i] = 0;");
  expect_fault((home / "data.cpp").string(), HasSubstr("make_keys writes behind the end of its target"));
  make("volatile std::size_t zero = 0; for (std::size_t i = 0; i < count; ++i) keys[i] = 100 / zero;");
  expect_fault((home / "data.cpp").string(), HasSubstr("divided by 0"));
}

}  // namespace
}  // namespace warpmark
