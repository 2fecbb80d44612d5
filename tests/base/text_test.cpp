#include "harness/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Text, is_trimmed_at_both_ends_alone) {
  EXPECT_EQ(trimmed(" \ta b\r"), "a b");
  EXPECT_EQ(trimmed(" \t\r"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, gives_its_first_line_without_the_line_end) {
  std::string_view text = "a\n\nb";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), "b");
  EXPECT_EQ(take_line(text), "") << "nothing is left";
}

TEST(Text, has_no_empty_lines_at_its_end) {
  EXPECT_THAT(lines_of("a\n\nb\n\n"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("\n"), IsEmpty());
}

TEST(Text, is_a_number_only_as_a_whole) {
  EXPECT_EQ(number_in<int>("-12"), -12);
  EXPECT_EQ(number_in<double>("1.5"), 1.5);
  EXPECT_EQ(number_in<int>("12 "), std::nullopt);
  EXPECT_EQ(number_in<int>(""), std::nullopt);
  EXPECT_EQ(number_in<int>("99999999999"), std::nullopt) << "it does not fit";
}

TEST(EditDistance, counts_letters_changed_added_left_out_and_swapped) {
  EXPECT_EQ(edit_distance("grade", "grade"), 0U);
  EXPECT_EQ(edit_distance("", "grade"), 5U);
  EXPECT_EQ(edit_distance("grdae", "grade"), 1U);
  EXPECT_EQ(edit_distance("grad", "grade"), 1U);
  EXPECT_EQ(edit_distance("brades", "grade"), 2U);
  EXPECT_EQ(edit_distance("abcdef", "badcfe"), 3U);
}

TEST(NearestWord, is_the_only_one_that_begins_so_or_the_nearest_within_a_third) {
  const std::vector<std::string> known{"grade", "class", "calibrate", "assignments", "data"};
  EXPECT_EQ(nearest_word("ass", known), "assignments");
  EXPECT_EQ(nearest_word("calss", known), "class");
  EXPECT_EQ(nearest_word("asignmets", known), "assignments");
  EXPECT_EQ(nearest_word("knit", known), std::nullopt);
  EXPECT_EQ(nearest_word("", known), std::nullopt);
  EXPECT_EQ(nearest_word("grade", {}), std::nullopt);
}

}  // namespace
}  // namespace warpmark
