#include "reports/wording/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/wording/summary.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kReplaced = "\xEF\xBF\xBD";

TEST(Visible, leaves_text_of_every_script_alone) {
  for (const char* text : {"plain", "Zo\u00EB", "\u65E5\u672C", "\u05E9\u05DC\u05D5\u05DD", "\U0001F600"}) {
    EXPECT_EQ(visible(text), text);
    EXPECT_EQ(visible_line(text), text);
  }
}

TEST(Visible, spells_out_what_a_terminal_would_obey) {
  EXPECT_EQ(visible("\x1b[2J\x07"), "\\x1b[2J\\x07");
  EXPECT_EQ(visible("\x7f"), "\\x7f");
  EXPECT_EQ(visible("\xC2\x9B"
                    "31m"),
            "\\x9b31m");  // U+009B is ESC [ in one character
  EXPECT_EQ(visible(std::string(1, '\0')), "\\x00");
  EXPECT_EQ(visible("over\rwritten\b"), "over\\x0dwritten\\x08");
}

TEST(Visible, spells_out_what_reverses_or_hides_text) {
  EXPECT_EQ(visible("a\u202Eb\u2066c\u200Bd\u2028e\uFEFFf\u061Cg"),
            "a\\u202eb\\u2066c\\u200bd\\u2028e\\ufefff\\u061cg");
}

TEST(Visible, spells_out_what_xml_forbids) {
  EXPECT_EQ(visible("\xEF\xBF\xBE\xEF\xBF\xBF"), "\\ufffe\\uffff");
}

TEST(Visible, replaces_bytes_that_are_not_utf8) {
  EXPECT_EQ(visible("\xFF"), kReplaced);
  EXPECT_EQ(visible("\xC3"), kReplaced);                               // cut short
  EXPECT_EQ(visible("\xC0\xAF"), std::string(kReplaced) + kReplaced);  // overlong
  EXPECT_EQ(visible("\xE0\x80\xAF"), std::string(kReplaced) + kReplaced + kReplaced);
  EXPECT_EQ(visible("\xED\xA0\x80"), std::string(kReplaced) + kReplaced + kReplaced);  // a surrogate
  EXPECT_EQ(visible("\xF4\x90\x80\x80"), std::string(kReplaced) + kReplaced + kReplaced + kReplaced);
  EXPECT_EQ(visible("\xC3(z"), std::string(kReplaced) + "(z");
}

TEST(Visible, keeps_line_ends_and_tabs_but_not_in_names) {
  EXPECT_EQ(visible("a\r\nb\tc"), "a\nb\tc");
  EXPECT_EQ(visible_line("a\nb\tc"), "a\\nb\\tc");
}

TEST(SourceLineText, expands_tabs_to_columns) {
  EXPECT_EQ(source_line("\tx\ty\r\n"), "    x   y");
  EXPECT_EQ(source_line("a\x1b"), "a\\x1b");
}

TEST(Shortened, cuts_between_characters_and_says_how_much_is_missing) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("\u00E9\u00E9\u00E9", 3), "\u00E9... (4 more bytes; grade.json has the whole text)");
}

TEST(DisplayWidth, counts_columns_not_bytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("Zo\u00EB"), 3U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\u65E5\u672C"), 4U);
  EXPECT_EQ(display_width("\U0001F600"), 2U);
}

TEST(CutTo, keeps_what_fits) {
  EXPECT_EQ(cut_to("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_to("abcdefg", 6), "abc...");
  EXPECT_EQ(cut_to("\u65E5\u672C\u8A9E\u65E5", 7), "\u65E5\u672C...");
  EXPECT_EQ(cut_to("abc", 2), "ab");
}

TEST(CutTo, is_not_fooled_by_piles_of_combining_marks) {
  std::string pile = "a";
  for (int i = 0; i < 10000; ++i) pile += "\u0301";
  EXPECT_LT(cut_to(pile, 10).size(), 100U);
}

TEST(DisplayWidth, knows_scripts_that_are_wide_or_combine) {
  EXPECT_EQ(display_width("\uD55C\uAE00"), 4U);  // Hangul
  EXPECT_EQ(display_width("\u0915\u094D"), 1U);  // Devanagari with its virama
  EXPECT_EQ(display_width("\u05E9\u05B8"), 1U);  // Hebrew with a vowel point
  EXPECT_EQ(display_width("\xFF"), 1U);          // shown as U+FFFD
}

TEST(Visible, spells_out_tags_that_hide_text) {
  EXPECT_EQ(visible("a\U000E0041"), "a\\ue0041");
}

TEST(Wrapped, breaks_at_spaces_and_inside_long_words) {
  EXPECT_THAT(wrapped("the sum of all", 7), ElementsAre("the sum", "of all"));
  EXPECT_THAT(wrapped("abcdefghij k", 4), ElementsAre("abcd", "efgh", "ij k"));
  EXPECT_THAT(wrapped("one\n\ntwo", 10), ElementsAre("one", "", "two"));
  EXPECT_THAT(wrapped("\u65E5\u672C", 1), ElementsAre("\u65E5", "\u672C"));
  EXPECT_THAT(wrapped("", 10), IsEmpty());
}

TEST(Numbers, say_no_more_than_they_know) {
  EXPECT_EQ(plain_number(3), "3");
  EXPECT_EQ(plain_number(2.5), "2.5");
  EXPECT_EQ(plain_number(100), "100");
  EXPECT_EQ(plain_number(1.0 / 3), "0.33");
  EXPECT_EQ(plain_number(-0.001), "0");
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(67108864), "67,108,864");
}

TEST(Numbers, agree_with_their_noun) {
  EXPECT_EQ(counted(1, "point", "points"), "1 point");
  EXPECT_EQ(counted(2, "point", "points"), "2 points");
  EXPECT_EQ(counted(0, "point", "points"), "0 points");
  EXPECT_EQ(counted(0.5, "point", "points"), "0.5 points");
}

TEST(Speedup, is_never_rounded_up_to_what_was_asked) {
  EXPECT_EQ(speedup_text(4.999), "4.99");
  EXPECT_EQ(speedup_text(5.8), "5.8");
  EXPECT_EQ(speedup_text(5), "5");
}

TEST(ScoreLine, reads_as_a_sentence) {
  EXPECT_EQ(score_line({74, 100, 20, 20}), "74 of 100 points; 20 open: they need a GPU");
  EXPECT_EQ(score_line({0, 60, 0, 0}), "0 of 60 points");
  EXPECT_EQ(score_line({0, 1, 1, 1}), "0 of 1 point; 1 open: it needs a GPU");
  EXPECT_EQ(score_line({1, 4, 2.5, 0}), "1 of 4 points; 2.5 open: they could not be decided here");
  EXPECT_EQ(score_line({70, 100, 25, 20}),
            "70 of 100 points; 25 open: 20 need a GPU, the others could not be decided here");
}

TEST(Headline, says_the_worst_that_is_the_students_first) {
  const auto of = [](const Grade& grade) { return headline(grade, groups_of(grade)); };
  Grade grade = sample_grade_without_gpu();
  EXPECT_EQ(of(Grade{}), "Nothing was checked.");
  EXPECT_EQ(of(grade), "Everything that could be decided here passed.");
  grade.checks.resize(3);
  EXPECT_EQ(of(grade), "Everything passed.");
  grade.checks[0].verdict = Verdict::broken;
  EXPECT_EQ(of(grade), "Nothing failed, but the grader could not do all of its work.");
  grade.checks[1].verdict = Verdict::failed;
  grade.checks[1].causes.emplace_back().kind = CauseKind::not_implemented;
  EXPECT_EQ(of(grade), "Nothing failed that is written; 1 version is still to do.");
  grade.checks[2].verdict = Verdict::failed;
  EXPECT_EQ(of(grade), "1 check failed.");
}

TEST(Overview, sets_apart_what_passed_without_points) {
  const Grade grade = sample_grade();
  const Groups groups = groups_of(grade);
  ASSERT_EQ(groups.unearned.size(), 2U);
  EXPECT_EQ(groups.unearned[1]->id, "reduction.v07_tree_sequential.clean");
  ASSERT_EQ(groups.noted.size(), 1U) << "that they are unearned is no note";
  EXPECT_EQ(groups.noted[0]->id, "reduction.v04_atomic_per_block.clean");
  const auto reasons = by_reason(groups.unearned);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_THAT(reasons[0].checks, ElementsAre("v07_tree_sequential.builds", "v07_tree_sequential.clean"));
}

TEST(Table, keeps_the_order_of_the_rubric_and_leaves_gaps_where_nothing_is_asked) {
  const Grade grade = sample_grade();
  const Table table = table_of(grade);
  Grade short_first;  // a version that is asked less than a later one
  short_first.checks = {grade.checks[0], grade.checks[4], grade.checks[5]};
  EXPECT_THAT(table.columns, ElementsAre("builds", "correct", "clean", "fast"));
  EXPECT_EQ(table.rows.front().version, "v01_atomic_per_element");
  EXPECT_EQ(table.rows.back().version, "v20_cub");
  ASSERT_EQ(table.rows.back().cells.size(), 4U);
  EXPECT_EQ(table.rows.back().cells[2], nullptr);
  EXPECT_EQ(table.rows.back().cells[3]->check, "fast");
  EXPECT_EQ(table.rows[3].points, 0);
  EXPECT_EQ(table.rows[3].possible, 8);
  EXPECT_EQ(table_of(short_first).rows[0].cells.size(), 2U);
  ASSERT_EQ(table.whole_submission.size(), 1U);
  EXPECT_EQ(table.whole_submission[0]->check, "upload_once");
}

}  // namespace
}  // namespace warpmark
