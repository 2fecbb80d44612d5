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

}  // namespace
}  // namespace warpmark
