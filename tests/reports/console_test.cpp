#include <algorithm>
#include <cctype>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/text.h"
#include "reports/reports.h"
#include "reports/wording/text.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

std::string plain(const Grade& grade, int width = 100) {
  return to_console(grade, {false, width});
}

std::string line_with(const std::string& text, const std::string& part) {
  for (const std::string& line : lines_of(text)) {
    if (line.find(part) != std::string::npos) return line;
  }
  return "no line with " + part;
}

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Console, shows_a_row_a_version_with_a_word_a_check) {
  const std::string text = plain(sample_grade());
  EXPECT_THAT(line_with(text, "judged v19_thrust"), HasSubstr("v19_thrust, v20_cub"));
  EXPECT_THAT(line_with(text, "version  "), MatchesRegex("version +builds +correct +clean +fast +points"));
  EXPECT_THAT(line_with(text, "v01_"), MatchesRegex("v01_atomic_per_element +ok +ok +ok +ok +8 of 8"));
  EXPECT_THAT(line_with(text, "v05_"), MatchesRegex("v05_tree_modulo +FAIL +- +- +- +0 of 8"));
  EXPECT_THAT(line_with(text, "v07_"), MatchesRegex("v07_tree_sequential +ok +FAIL +ok +- +0 of 8"));
  EXPECT_THAT(line_with(text, "v08_"), MatchesRegex("v08_tree_first_add +ok +ok +broken +FAIL +4 of 8"));
  EXPECT_THAT(line_with(text, "v09_"), MatchesRegex("v09_tree_unrolled_warp +ok +ok +FAIL +noise +4 of 8"));
  EXPECT_THAT(line_with(text, "v11_"), MatchesRegex("v11_tree_grid_stride +todo +- +- +- +0 of 8"));
  EXPECT_THAT(line_with(text, "v20_cub  "), MatchesRegex("v20_cub +ok +ok +ok +6 of 6"));
  EXPECT_THAT(line_with(plain(sample_grade_without_gpu()), "v01_"),
              MatchesRegex("v01_atomic_per_element +ok +ok +ok +no GPU +6 of 8"));
}

TEST(Console, begins_with_assignment_submission_and_the_rubrics_title) {
  EXPECT_THAT(plain(sample_grade()),
              testing::StartsWith("reduction: ada\nParallel reduction (the course's own)\n"));
}

TEST(Console, names_the_parts_of_an_inputs_size) {
  Grade grade = sample_grade();
  for (CheckResult& check : grade.checks) {
    for (Cause& cause : check.causes) cause.sizes = {{"ny", 3}, {"nx", 27}, {"radius", 4}};
  }
  EXPECT_THAT(plain(grade), HasSubstr("input:    int, ny = 3, nx = 27, radius = 4, seed "));
}

TEST(Console, tells_causes_of_one_title_once) {
  Grade grade = sample_grade();
  CheckResult& check = grade.checks.at(0);
  check.verdict = Verdict::failed;
  check.causes = {make_cause(CauseKind::race, "a"), make_cause(CauseKind::not_written, "b", "v.cu"),
                  make_cause(CauseKind::not_written, "c", "v.cu")};
  EXPECT_EQ(times_in(plain(grade), "  also: output not written at v.cu\n"), 1U);
}

TEST(Console, gives_the_whole_submission_its_own_row) {
  EXPECT_THAT(plain(sample_grade()), HasSubstr("whole submission\nupload_once "));
  EXPECT_THAT(line_with(plain(sample_grade()), "upload_once"), MatchesRegex("upload_once +FAIL +0 of 4"));
}

TEST(Console, says_why_an_upload_that_passed_earns_nothing) {
  Grade grade = sample_grade_without_gpu();
  CheckResult& upload = grade.checks.back();
  upload.points = 0;
  EXPECT_THAT(line_with(plain(grade), "upload_once"), MatchesRegex("upload_once +ok +0 of 4"));
  EXPECT_THAT(plain(grade), HasSubstr("\n  uploaded once; no points until a version is correct\n"));
  upload.open = upload.possible;
  EXPECT_THAT(plain(grade),
              HasSubstr("\n  uploaded once; its points are open until a version can be decided\n"));
}

TEST(Console, tells_a_failure_with_place_values_source_and_command) {
  const std::string text = plain(sample_grade());
  EXPECT_THAT(text, HasSubstr("\nv07_tree_sequential: correct\n"
                              "  wrong sum at v07_tree_sequential.cu:31\n"
                              "  The sum of 1023 values is 1044991, must be 1046528."));
  EXPECT_THAT(text, HasSubstr("    expected: 1046528\n    actual:   1044991\n"
                              "    input:    int, n = 1023, seed 0x9e3779b97f4a7c15\n"
                              "    launch:   tree: 4 blocks of 256 threads, 1,024 bytes of shared memory per "
                              "block\n"
                              "    29 |   for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {\n"
                              "    30 |     if (tid < s)\n"
                              "  > 31 |     shared[tid] += shared[tid + s];\n"
                              "    32 |     __syncthreads();\n"));
  EXPECT_THAT(
      text,
      HasSubstr("    again:    ./warpmark grade submissions/ada --only 'v07_tree_sequential*' --size 1023 "
                "--seed 0x9e3779b97f4a7c15\n"));
}

TEST(Console, tells_one_cause_of_a_version_and_names_the_others) {
  const std::string text = plain(sample_grade());
  EXPECT_THAT(text, HasSubstr("  barrier that not all threads reach at v09_tree_unrolled_warp.cu:22\n"));
  EXPECT_THAT(text, HasSubstr("  also: access out of bounds at v09_tree_unrolled_warp.cu:18\n"));
  EXPECT_THAT(text, Not(HasSubstr("Reads 4 bytes behind the end of values.")));
}

TEST(Console, tells_every_cause_when_asked_for_all) {
  const std::string text = to_console(sample_grade(), {false, 100, Detail::all});
  EXPECT_THAT(text, HasSubstr("\n  access out of bounds at v09_tree_unrolled_warp.cu:18\n"));
  EXPECT_THAT(text, HasSubstr("Reads 4 bytes behind the end of values."));
}

TEST(Console, is_a_line_a_failure_and_the_score_when_asked_for_little) {
  EXPECT_EQ(to_console(sample_grade(), {false, 100, Detail::brief}),
            "v05_tree_modulo: does not compile at v05_tree_modulo.cu:14\n"
            "v07_tree_sequential: wrong sum at v07_tree_sequential.cu:31\n"
            "v08_tree_first_add: too slow\n"
            "v09_tree_unrolled_warp: barrier that not all threads reach at v09_tree_unrolled_warp.cu:22\n"
            "upload_once: data uploaded again at upload.cu:9\n"
            "score:  30 of 82 points; 4 open: they could not be decided here\n");
}

TEST(Console, tells_how_the_kernel_was_launched) {
  EXPECT_THAT(
      plain(sample_grade()),
      HasSubstr("    launch:   tree: 4 blocks of 256 threads, 1,024 bytes of shared memory per block\n"));
}

TEST(Console, shows_the_compilers_words_where_no_source_is) {
  Grade grade = sample_grade();
  Cause& cause = grade.checks[8].causes[0];
  ASSERT_EQ(cause.kind, CauseKind::compile_error);
  EXPECT_THAT(plain(grade), Not(HasSubstr("1 error generated")));
  cause.excerpt.clear();
  EXPECT_THAT(plain(grade), HasSubstr("    | 1 error generated"));
  cause.details = "first\n";
  for (int i = 0; i < 20; ++i) cause.details += "more\n";
  EXPECT_THAT(plain(grade), HasSubstr("    | more\n    | ... 9 more lines in grade.json\n"));
}

TEST(Console, shows_what_the_failing_call_printed) {
  Grade grade = sample_grade();
  grade.checks[8].causes[0].printed = "i = 7\n\x1b[2Jmore\n";
  EXPECT_THAT(plain(grade), AllOf(HasSubstr("    printed:\n    | i = 7\n"), Not(HasSubstr("\x1b[2J"))));
}

TEST(Console, sums_up_what_is_not_implemented_in_one_line) {
  const std::string text = plain(sample_grade());
  EXPECT_THAT(text, HasSubstr("\nnot implemented yet (3): v11_tree_grid_stride, v13_shared_grid_stride, "
                              "v16_warp_shuffle\n"));
  EXPECT_EQ(times_in(text, "v11_tree_grid_stride"), 2U);  // its row and this line
}

TEST(Console, does_not_list_as_failures_what_only_waits) {
  const std::string text = plain(sample_grade());
  EXPECT_THAT(text, Not(HasSubstr("waits for")));
  EXPECT_THAT(text, Not(HasSubstr("reduction.v05_tree_modulo.correct")));
  EXPECT_THAT(text, HasSubstr("\nfailed (5)\n"));
}

TEST(Console, says_what_needs_a_gpu_and_what_to_do) {
  const std::string text = plain(sample_grade_without_gpu());
  EXPECT_THAT(text, HasSubstr("`fast` (3 versions) needs a GPU that this machine does not have.\n"
                              "  Its points stay open: grade again on a machine with an NVIDIA GPU.\n"));
  EXPECT_THAT(text, Not(HasSubstr("failed (")));
}

TEST(Console, keeps_our_faults_apart_from_the_students) {
  EXPECT_THAT(plain(sample_grade()), HasSubstr("broken: the grader's fault, not the submission's (1)\n\n"
                                               "reduction.v08_tree_first_add.clean\n  fault of Warpmark\n"));
}

TEST(Console, tells_each_reason_for_no_decision_once) {
  Grade grade = sample_grade_without_gpu();
  for (CheckResult& check : grade.checks) {
    if (check.check == "fast") check.causes[0] = make_cause(CauseKind::noise, "The clock fell.");
  }
  EXPECT_EQ(times_in(plain(grade), "The clock fell."), 1U);
  grade.checks[3].causes[0].message = "The neighbour ran.";
  const std::string text = plain(grade);
  EXPECT_EQ(times_in(text, "The clock fell."), 1U);
  EXPECT_THAT(text, HasSubstr("`fast` (v01_atomic_per_element) was measured, but too noisily to decide.\n"
                              "  The neighbour ran.\n"));
}

TEST(Console, tells_notes_apart_from_failures) {
  const std::string text = plain(sample_grade());
  EXPECT_THAT(text, HasSubstr("notes, which cost no points (1)\n\nreduction.v04_atomic_per_block.clean\n"
                              "  return before a barrier at v04_atomic_per_block.cu:21\n"));
  EXPECT_THAT(plain(sample_grade_without_gpu()), Not(HasSubstr("notes")));
}

TEST(Console, says_why_a_passed_check_has_no_points) {
  EXPECT_THAT(plain(sample_grade()),
              HasSubstr("passed without points (2): v07_tree_sequential.builds, v07_tree_sequential.clean\n"
                        "  Earned only together with `correct`.\n"));
  EXPECT_THAT(plain(sample_grade_without_gpu()), Not(HasSubstr("without points")));
}

TEST(Console, ends_with_the_score) {
  Grade grade = sample_grade_without_gpu();
  grade.score = {48, 100, 40, 40};
  const std::string text = plain(grade);
  EXPECT_EQ(lines_of(text).back(), "score:  48 of 100 points; 40 open: they need a GPU");
  EXPECT_THAT(text, HasSubstr("\nchecks: 10 passed, 3 not run\n"));
}

TEST(Console, takes_the_score_from_the_grade) {
  Grade grade = sample_grade();
  grade.score = {7, 9, 0, 0};
  EXPECT_EQ(lines_of(plain(grade)).back(), "score:  7 of 9 points");
}

TEST(Console, shows_measured_times) {
  const std::string text = plain(sample_grade());
  EXPECT_THAT(line_with(text, "measured "),
              MatchesRegex("measured +naive ms +yours ms +speedup +between +needed"));
  EXPECT_THAT(text,
              HasSubstr("v08_tree_first_add          1.61     0.403    3.99x     3.97 to 4.01    4.6x\n"));
  EXPECT_THAT(text, HasSubstr("  67,108,864 values."));
  EXPECT_THAT(text, HasSubstr("itself: 0.998 to 1.001 times"));
  EXPECT_THAT(text, HasSubstr("measured with the course's solution"));
  const std::string wide = to_console(sample_grade(), {false, 140});
  EXPECT_THAT(line_with(wide, "measured "), MatchesRegex(".* needed +rounds +previous +GB/s"));
  EXPECT_THAT(line_with(wide, "v08_tree_first_add  "), Not(HasSubstr("rounds")));
  Grade uncalibrated = sample_grade();
  uncalibrated.timing->calibration.clear();
  EXPECT_THAT(plain(uncalibrated), HasSubstr("calibrate` measures"));
  EXPECT_THAT(plain(sample_grade_without_gpu()), Not(HasSubstr("naive ms")));
}

TEST(Console, says_that_thresholds_come_from_a_probe_and_why_the_input_is_smaller) {
  Grade grade = sample_grade();
  grade.timing->calibration = "NVIDIA GeForce RTX 3050 Laptop GPU, 2026-11-28, 170 GB/s";
  grade.timing->probed = true;
  grade.timing->smaller_size = "33554432 values instead of 67108864: 2.8 GiB were free";
  const auto kept = grade_from_json(to_json(grade));
  ASSERT_TRUE(kept) << kept.error().message;
  std::string text = plain(*kept);
  std::ranges::replace(text, '\n', ' ');
  text = std::regex_replace(text, std::regex(" +"), " ");
  EXPECT_THAT(text, HasSubstr("thresholds from a probe of this GPU"));
  EXPECT_THAT(text, HasSubstr("170 GB/s"));
  EXPECT_THAT(text, HasSubstr("33554432 values instead of 67108864: 2.8 GiB were free"));
}

TEST(Console, is_coloured_only_when_asked) {
  EXPECT_THAT(plain(sample_grade()), Not(HasSubstr("\x1b")));
  const std::string coloured = to_console(sample_grade(), {true, 100});
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31mFAIL\x1b[0m"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[32mok\x1b[0m"));
  std::string uncoloured;
  for (std::size_t at = 0; at < coloured.size(); ++at) {
    if (coloured[at] == '\x1b') {
      at = coloured.find('m', at);
    } else {
      uncoloured += coloured[at];
    }
  }
  EXPECT_EQ(uncoloured, plain(sample_grade()));
}

TEST(Console, keeps_to_its_width_except_for_commands) {
  Grade grade = sample_grade();
  for_each_text(
      grade, [](std::string& text) { text += " and \u65E5\u672C\u8A9E, wide, again and again and again"; });
  for (const int width : {60, 80, 120}) {
    for (const std::string& line : lines_of(plain(grade, width))) {
      if (line.find("again:    ") != std::string::npos) continue;
      EXPECT_LE(display_width(line), width) << line;
    }
  }
}

TEST(Console, lets_no_control_character_through) {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) {
    text +=
        "\x1b]0;owned\x07\r\x08\u202E\xC2\x9B"
        "31m\xFF\x7f";
  });
  const std::string text = plain(grade);
  EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char letter) {
    return letter != '\n' && std::iscntrl(static_cast<unsigned char>(letter)) != 0;
  }));
  EXPECT_THAT(text, Not(HasSubstr("\xC2\x9B")));
  EXPECT_THAT(text, Not(HasSubstr("\u202E")));
  EXPECT_THAT(text, HasSubstr("\\x1b]0;owned\\x07"));
}

TEST(Console, keeps_a_line_end_in_a_name_from_faking_a_line) {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) { text += "\nscore:  100 of 100 points"; });
  const std::vector<std::string> lines = lines_of(plain(grade));
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.rfind("score:", 0) == 0; }),
            1);
}

TEST(Console, stays_short_whatever_comes) {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) { text.append(100000, 'x'); });
  const std::string text = plain(grade);
  EXPECT_LT(text.size(), 60000U);
  EXPECT_THAT(text, HasSubstr("grade.json has the whole text"));
}

TEST(Console, copes_with_an_empty_grade) {
  const std::string text = plain(Grade{}, 0);
  EXPECT_THAT(text, HasSubstr("checks: nothing was checked\nscore:  0 of 0 points\n"));
}

TEST(Console, says_so_when_a_failure_has_no_cause) {
  Grade grade;
  grade.checks.push_back({"a.v.c", "v", "c", Engine::simulator, "", Verdict::failed, 0, 1, 0});
  EXPECT_THAT(plain(grade), HasSubstr("\nv: c\n  The grade does not say why.\n"));
}

TEST(Console, says_what_the_intake_has_to_say_and_so_does_the_page) {
  const std::string remark =
      "v02_atomic_per_thred.cu is not the name of a version; did you mean v02_atomic_per_thread.cu?";
  EXPECT_THAT(to_console(sample_grade(), {}), HasSubstr("note: " + remark));
  EXPECT_THAT(to_html(sample_grade()), HasSubstr(remark));
}

}  // namespace
}  // namespace warpmark
