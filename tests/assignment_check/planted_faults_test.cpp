// New assignments check out, and a check finds what was planted in them.
#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignment_check/check.h"
#include "harness/assignment_check/shapes.h"
#include "harness/base/file.h"
#include "reports/assignment/reports.h"

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const judge::Installation kInstallation{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};

class PlantedFaults : public testing::Test {
 protected:
  void SetUp() override {
    const auto engines = judge::find_engines(kInstallation, judge::kEngineLimit);
    if (!engines.has(Engine::simulator))
      GTEST_SKIP() << "not run: " << engines.missing.at(Engine::simulator).message;
  }

  void begin_with(const std::string& shape) {
    const auto written = write_assignment(WARPMARK_ROOT, "planted_" + shape, shape, folder_.path());
    ASSERT_TRUE(written) << written.error().message;
    assignment_ = *written;
    // Every check computes an answer at the size of `fast`: a smaller one does for these tests.
    for (const auto& [large, small] : {std::pair("size = 67108864", "size = 2097152"),
                                       std::pair("size = [8192, 8192]", "size = [1024, 2048]")}) {
      auto rules = read_file(assignment_ / "assignment.toml").value_or("");
      const std::size_t at = rules.find(large);
      if (at == std::string::npos) continue;
      rules.replace(at, std::string_view(large).size(), small);
      ASSERT_TRUE(write_file(assignment_ / "assignment.toml", rules));
    }
  }

  // Replaces a text that the file must contain.
  void change(const std::string& file, const std::string& from, const std::string& to) {
    auto text = read_file(assignment_ / file);
    ASSERT_TRUE(text);
    const std::size_t at = text->find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text->replace(at, from.size(), to);
    ASSERT_TRUE(write_file(assignment_ / file, *text));
  }

  AssignmentReport check(std::size_t mutants) {
    CheckOptions options;
    options.assignment = assignment_.string();
    options.cache = WARPMARK_CACHE;
    options.mutants = mutants;
    options.jobs = std::max(1U, std::thread::hardware_concurrency());
    options.verbose = true;
    auto report = check_assignment(kInstallation, options);
    if (!report) throw std::runtime_error(report.error().message);
    return std::move(*report);
  }

  // Returns the messages of all that is open, one per line.
  static std::string open_in(const AssignmentReport& report) {
    std::string text;
    for (const auto* findings : {&report.reading, &report.expected, &report.gaps}) {
      for (const AssignmentFinding& finding : *findings) {
        if (finding.standing == Standing::open)
          text += finding.file + ":" + std::to_string(finding.line) + ": " + finding.message + "\n" +
                  finding.details + "\n";
      }
    }
    for (const WorthRow& row : report.worth) {
      if (row.standing == Standing::open)
        text += row.submission + " as " + row.version + ": " + row.why + "\n";
    }
    for (const MutantResult& mutant : report.mutants) {
      if (mutant.fate == Fate::survived)
        text += "survived: " + mutant.line_text + ": " + mutant.edit + ": " + mutant.remedy + "\n";
      if (mutant.fate == Fate::undecided) text += "undecided: " + mutant.edit + ": " + mutant.reason + "\n";
    }
    return text;
  }

  fs::path assignment_;

 private:
  TemporaryFolder folder_;
};

class NewShapes : public PlantedFaults, public testing::WithParamInterface<const char*> {};

TEST_P(NewShapes, are_ready) {
  begin_with(GetParam());
  const auto report = check(0);
  EXPECT_EQ(open_in(report), "");
  EXPECT_EQ(report.exit_status(), 0);
  EXPECT_GT(report.count(Fate::failed), 10U);
  const auto reference = std::ranges::find(report.worth, "v02", [](const WorthRow& row) {
    return row.submission == "reference" ? row.version.substr(0, 3) : "";
  });
  ASSERT_NE(reference, report.worth.end());
  EXPECT_EQ(reference->points + reference->open, 100);
}

INSTANTIATE_TEST_SUITE_P(Shapes, NewShapes, testing::Values("vector", "matrix", "image", "scalar"),
                         [](const auto& which) { return which.param; });

TEST_F(PlantedFaults, a_rubric_that_lets_the_naive_version_through) {
  begin_with("vector");
  change("assignment.toml", "at_most = 6", "at_most = 33");
  change("assignment.toml", "at_most = 0.04", "at_most = 2");
  const auto report = check(1);
  EXPECT_EQ(report.exit_status(), 1);
  EXPECT_THAT(open_in(report),
              AllOf(HasSubstr("naive version as v02_coalesced: it earns 75 %"), HasSubstr("at most 40 %")));
}

TEST_F(PlantedFaults, the_naive_version_may_earn_what_the_version_says) {
  begin_with("vector");
  change("assignment.toml", "at_most = 6", "at_most = 33");
  change("assignment.toml", "at_most = 0.04", "at_most = 2");
  change("assignment.toml", "speedup = 1.2", "naive_may_earn = 1\nspeedup = 1.2");
  const auto report = check(1);
  EXPECT_THAT(open_in(report), testing::Not(HasSubstr("naive version as")));
}

TEST_F(PlantedFaults, sizes_of_whole_blocks_whose_bounds_mutant_survives) {
  begin_with("vector");
  change("assignment.toml", "sizes     = [0, 1, 31, 33, 255, 256, 257, 1000, 100003]",
         "sizes = [256, 1024, 102400]");
  change("assignment.toml", "secret    = {count = 4, n = [1, 100000]}", "");
  change("assignment.toml", "sizes     = [0, 1, 33, 257, 1000]", "sizes = [256, 1024]");
  change("assignment.toml", "size = 100000\n", "size = 102400\n");
  const auto report = check(0);
  EXPECT_EQ(report.exit_status(), 1);
  EXPECT_THAT(open_in(report),
              AllOf(HasSubstr("survived: if (i < n) y[i] = factor * x[i] + 1;: i < n to true: a size in "
                              "[correct] that is no multiple of 32"),
                    HasSubstr("[correct] sizes: every n is a multiple of 32 (256, 1024, 102400)"),
                    HasSubstr("[clean] sizes")));
}

TEST_F(PlantedFaults, programs_whose_mutants_fail) {
  begin_with("program");
  const auto report = check(24);
  EXPECT_EQ(open_in(report), "");
  EXPECT_GT(report.count(Fate::failed), 10U);
}

TEST_F(PlantedFaults, a_program_run_on_whole_blocks_alone_whose_bounds_mutant_survives) {
  begin_with("program");
  std::string rules = read_file(assignment_ / "assignment.toml").value_or("");
  const std::size_t begin = rules.find("[[case]]"), end = rules.find("[compare]");
  ASSERT_NE(end, std::string::npos);
  rules.replace(begin, end - begin, "[[case]]\nname = \"block\"\nvalues = {n = 256}\n\n");
  ASSERT_TRUE(write_file(assignment_ / "assignment.toml", rules));
  // Only the kernel is changed.
  std::string solution = read_file(assignment_ / "reference/p01_sum.cu").value_or("");
  const std::size_t second = solution.rfind("  // <solution>");
  solution.erase(second, solution.find('\n', second) - second + 1);
  solution.erase(solution.rfind("  // </solution>"), std::string("  // </solution>\n").size());
  ASSERT_TRUE(write_file(assignment_ / "reference/p01_sum.cu", solution));
  const auto report = check(0);
  EXPECT_EQ(report.exit_status(), 1);
  EXPECT_THAT(open_in(report), HasSubstr("survived: if (i < n) sum[i] = a[i] + b[i];: i < n to true: a "
                                         "[[case]] whose output shows the change"));
}

TEST_F(PlantedFaults, an_equivalent_entry_that_means_nothing) {
  begin_with("scalar");
  change("assignment.toml", "edit = \"0 to 1\"}", "edit = \"0 to 7\"}");
  const auto report = check(1);
  EXPECT_THAT(open_in(report), AllOf(HasSubstr("assignment.toml:10: equivalent: no mutant changes the line"),
                                     HasSubstr("0 to 7"), HasSubstr("its edits: ")));
}

TEST_F(PlantedFaults, a_call_that_does_not_compile) {
  begin_with("vector");
  change("assignment.toml", "version(x, n, factor, y, stream)", "version(x, factory, n, y, stream)");
  const auto report = check(1);
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.exit_status(), 1);
  EXPECT_THAT(open_in(report), AllOf(HasSubstr("assignment.toml:5: `call` does not compile"),
                                     HasSubstr("factory"), HasSubstr("warpmark_call")));
}

TEST_F(PlantedFaults, a_struct_that_is_not_the_contracts) {
  begin_with("vector");
  change("planted_vector.h", "extern \"C\" {", "struct Pair {\n  float y;\n  int at;\n};\n\nextern \"C\" {");
  change("planted_vector.h", "float* y, cudaStream_t", "Pair* y, cudaStream_t");
  change("assignment.toml", "unless a tolerance is given\ntype  = \"float\"", "\ntype = \"Pair\"");
  change("assignment.toml", "relative = 1e-5", "# relative = 1e-5");
  change("assignment.toml", "absolute = 1e-4\n", "");
  change("assignment.toml", "[points]\n", "[[struct]]\nname = \"Pair\"\nmembers = []\n\n[points]\n");
  std::string before = "members = []";
  for (const auto& [members, fault] :
       {std::pair("{name = \"at\", type = \"int\"}, {name = \"y\", type = \"float\"}",
                  "[[struct]] Pair: the member at stands at another place in the contract"),
        std::pair("{name = \"y\", type = \"int\"}, {name = \"at\", type = \"int\"}",
                  "[[struct]] Pair: the member y has another type in the contract"),
        std::pair("{name = \"y\", type = \"float\"}, {name = \"at\", type = \"unsigned\"}",
                  "[[struct]] Pair: the member at has another type in the contract"),
        std::pair("{name = \"y\", type = \"float\"}", "[[struct]] Pair: the contract's has another size"),
        std::pair("{name = \"y\", type = \"float\"}, {name = \"where\", type = \"int\"}", "where")}) {
    const std::string now = std::string("members = [") + members + "]";
    change("assignment.toml", before, now);
    before = now;
    const auto report = check(1);
    EXPECT_TRUE(report.stopped);
    EXPECT_THAT(open_in(report),
                AllOf(testing::ContainsRegex("assignment.toml:[1-9][0-9]*: \\[\\[struct\\]\\] Pair"),
                      HasSubstr(fault), testing::Not(HasSubstr("`call`"))));
  }
}

TEST_F(PlantedFaults, an_expected_that_gives_nan_where_values_are_compared) {
  begin_with("vector");
  change("expected.cpp", "y[i] = factor * x[i] + 1;",
         "y[i] = i == 5 ? __builtin_nanf(\"\") : factor * x[i] + 1;");
  const auto report = check(1);
  EXPECT_EQ(report.exit_status(), 1);
  EXPECT_THAT(open_in(report), AllOf(HasSubstr("`expected` gives NaN in y[5] at size 31"),
                                     HasSubstr("bits = true"), HasSubstr("assignment.toml:")));
  EXPECT_TRUE(report.mutants.empty());
}

TEST_F(PlantedFaults, mistakes_in_several_files_at_once) {
  begin_with("vector");
  change("assignment.toml", "role  = \"input\"", "role  = \"inputs\"");
  EXPECT_THAT(open_in(check(1)), HasSubstr("assignment.toml:11: buffer.role is \"inputs\""));
  change("assignment.toml", "role  = \"inputs\"", "role  = \"input\"");
  change("reference/v02_coalesced.cu", "  // </solution>\n", "");
  change("planted_vector.h", "planted_vector_fn v01_chunks;", "");
  EXPECT_THAT(open_in(check(1)),
              AllOf(HasSubstr("v02_coalesced.cu:"), HasSubstr("the contract does not declare v01_chunks")));
}

TEST_F(PlantedFaults, an_expected_that_does_not_compile_or_remembers) {
  begin_with("vector");
  change("expected.cpp", "y[i] = factor * x[i] + 1;", "y[i] = factor * x[i] + one;");
  EXPECT_THAT(open_in(check(1)), HasSubstr("expected.cpp:7: "));
  change("expected.cpp", "y[i] = factor * x[i] + one;", "if (i != 3) y[i] = factor * x[i] + 1;");
  EXPECT_THAT(open_in(check(1)), HasSubstr("`expected` gives another y when it is called again"));
}

using PlantedFaultsLong = PlantedFaults;

// It takes its time at the size of `fast` alone.
TEST_F(PlantedFaultsLong, an_expected_that_is_slow) {
  begin_with("vector");
  change("expected.cpp", "#include", "#include <chrono>\n#include <thread>\n#include");
  change("expected.cpp", "  for (",
         "  if (n > 1000000) std::this_thread::sleep_for(std::chrono::seconds(60));\n  for (");
  EXPECT_THAT(open_in(check(1)), HasSubstr("2097152"));
}

TEST_F(PlantedFaults, a_secret_size_for_which_there_is_no_input) {
  begin_with("image");
  change("assignment.toml", "high  = 255", "high  = \"min(ny, 255) - 1\"");
  change("assignment.toml", "ny = [1, 200], nx = [1, 200]", "ny = [0, 200], nx = [1, 200]");
  change("assignment.toml", "[[0, 0], [1, 1]", "[[1, 1]");
  change("assignment.toml", "count = \"ny * nx\"", "count = \"ny * nx + nx\"");
  EXPECT_THAT(open_in(check(1)),
              AllOf(HasSubstr("correct.secret allows the size 0,1"), HasSubstr("`where`")));
}

TEST_F(PlantedFaults, a_reference_that_is_wrong) {
  begin_with("vector");
  change("reference/v02_coalesced.cu", "factor * x[i] + 1", "factor * x[i] + 2");
  const auto report = check(1);
  EXPECT_THAT(open_in(report), HasSubstr("reference as v02_coalesced: correct: "));
  EXPECT_TRUE(report.mutants.empty());
}

TEST_F(PlantedFaults, a_template_that_does_not_compile_once_it_is_touched) {
  begin_with("vector");
  change("reference/v02_coalesced.cu", "// <stub> (void)x", "// <stub> (void)nothing_of_the_kind, (void)x");
  EXPECT_THAT(
      open_in(check(1)),
      HasSubstr("template as v02_coalesced: the template does not compile once a student changes it"));
}

TEST_F(PlantedFaults, limits_are_proposed_for_a_version_that_lacks_them) {
  begin_with("image");
  auto text = read_file(assignment_ / "assignment.toml").value_or("");
  text.resize(text.find("[[version.work]]"));
  ASSERT_TRUE(write_file(assignment_ / "assignment.toml", text));
  EXPECT_THAT(open_in(check(1)),
              AllOf(HasSubstr("the check \"work\" needs a [[version.work]]"), HasSubstr("--propose")));
  CheckOptions options;
  options.assignment = assignment_.string();
  options.cache = WARPMARK_CACHE;
  options.propose = true;
  const auto limits = propose(kInstallation, options);
  ASSERT_TRUE(limits) << limits.error().message;
  EXPECT_THAT(*limits, AllOf(testing::ContainsRegex("# v02_tiles, counted at ny = 2[45][0-9], nx = 256:\n"),
                             HasSubstr("counter = \"load_requests_a_value\"\nat_most = ")));
}

TEST_F(PlantedFaults, limits_that_are_proposed_hold_at_the_size_of_work) {
  begin_with("image");
  change("assignment.toml",
         "[work]                                      # the size at which the simulator counts\nsize = [256, "
         "256]",
         "[work]\nsize = [40, 48]");
  auto text = read_file(assignment_ / "assignment.toml").value_or("");
  text.resize(text.find("[[version.work]]"));
  ASSERT_TRUE(write_file(assignment_ / "assignment.toml", text));
  CheckOptions options;
  options.assignment = assignment_.string();
  options.cache = WARPMARK_CACHE;
  options.propose = true;
  const auto limits = propose(kInstallation, options);
  ASSERT_TRUE(limits) << limits.error().message;
  EXPECT_THAT(*limits, testing::ContainsRegex("# v02_tiles, counted at ny = (38|39|40), nx = 48:\n"));
  ASSERT_TRUE(write_file(assignment_ / "assignment.toml", text + *limits));
  const auto report = check(1);
  EXPECT_FALSE(report.stopped);
  EXPECT_THAT(open_in(report), testing::Not(HasSubstr("reference as v02_tiles: work")));
}

TEST_F(PlantedFaults, no_limits_are_proposed_from_a_solution_that_fails) {
  begin_with("vector");
  change("reference/v02_coalesced.cu", "factor * x[i] + 1", "factor * x[i] + 2");
  CheckOptions options;
  options.assignment = assignment_.string();
  options.cache = WARPMARK_CACHE;
  options.propose = true;
  const auto limits = propose(kInstallation, options);
  ASSERT_FALSE(limits) << *limits;
  EXPECT_THAT(limits.error().message, AllOf(HasSubstr("v02_coalesced: the solution fails"), HasSubstr("y[")));
}

TEST_F(PlantedFaults, feedback_is_that_of_a_whole_grade) {
  begin_with("vector");
  CheckOptions options;
  options.assignment = assignment_.string();
  options.cache = WARPMARK_CACHE;
  options.mutants = 3;
  const auto report = feedback(kInstallation, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->graded, 3U);
  EXPECT_EQ(report->mutants.size() + report->passed + report->no_program, 3U);
  ASSERT_FALSE(report->mutants.empty());
  for (const FeedbackMutant& mutant : report->mutants) EXPECT_NE(mutant.message, "") << mutant.edit;
}

TEST_F(PlantedFaults, there_is_no_such_assignment) {
  CheckOptions options;
  options.assignment = "no_such_assignment";
  options.cache = WARPMARK_CACHE;
  const auto report = check_assignment(kInstallation, options);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("no_such_assignment"));
}

}  // namespace
}  // namespace warpmark::assignment_check
