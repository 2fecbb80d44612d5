#include "reports/drawing/time_line_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

AuditedTransfer copy(std::string during, std::uint64_t bytes, std::uint64_t order) {
  AuditedTransfer transfer;
  transfer.during = std::move(during);
  transfer.direction = "host_to_device";
  transfer.bytes = bytes;
  transfer.order = order;
  return transfer;
}

// Every group, behind its name.
std::string drawn_in(const Grade& grade) {
  std::string text;
  for (const TimeLineGroup& group : time_line(grade)) text += group.name + ":" + group.svg + "\n";
  return text;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(TimeLineSvg, is_empty_where_nothing_was_recorded) {
  EXPECT_TRUE(time_line({}).empty());
}

TEST(TimeLineSvg, shows_transfers_and_kernels_in_their_order) {
  Grade grade;
  grade.transfers = {copy("upload", 4'000'012, 0), copy("v07_tree_sequential", 999, 2)};
  grade.launches = {{"v07_tree_sequential", Phase::call, "add_up", 3, 1, std::nullopt}};
  const std::string drawn = drawn_in(grade);
  EXPECT_THAT(drawn, HasSubstr("4 MB"));
  EXPECT_THAT(drawn, HasSubstr("999 B"));
  EXPECT_EQ(count_of(drawn, "class=\"line-in\""), 2U);
  EXPECT_LT(drawn.find("4000012 bytes"), drawn.find("kernel add_up, 3 times"));
  EXPECT_LT(drawn.find("kernel add_up"), drawn.find("999 bytes"));
  EXPECT_EQ(time_line(grade).size(), 2U);
  EXPECT_LT(drawn.find("\nv07_tree_sequential:"), drawn.find("kernel add_up"));
}

TEST(TimeLineSvg, marks_the_grader_s_own_copies) {
  Grade grade;
  grade.transfers = {copy("upload", 5000, 0)};
  grade.transfers[0].canary = true;
  const std::string drawn = drawn_in(grade);
  EXPECT_THAT(drawn, HasSubstr("line-own"));
  EXPECT_THAT(drawn, Not(HasSubstr("class=\"line-in\"")));
}

TEST(TimeLineSvg, tells_times_where_they_are_known) {
  Grade grade;
  grade.transfers = {copy("upload", 5000, 0)};
  EXPECT_THAT(drawn_in(grade), Not(HasSubstr(" ms")));
  grade.transfers[0].when = Period{1500, 2250};
  EXPECT_THAT(drawn_in(grade), HasSubstr("1.500 to 2.250 ms"));
}

TEST(TimeLineSvg, escapes_names) {
  Grade grade;
  grade.transfers = {copy("<i>\"&_x", 1, 0)};
  grade.launches = {{"<b>", Phase::call, "k<int>", 1, 1, std::nullopt}};
  const std::string drawn = time_line(grade).front().svg;
  EXPECT_THAT(drawn, AllOf(HasSubstr("&lt;i&gt;&quot;&amp;_x: "), Not(HasSubstr("<i>"))));
  EXPECT_THAT(drawn, Not(HasSubstr("<b>")));
  EXPECT_THAT(time_line(grade).back().svg, HasSubstr("k&lt;int&gt;"));
}

TEST(TimeLineSvg, stays_small_whatever_was_recorded) {
  Grade grade;
  for (std::uint64_t i = 0; i < 5000; ++i) grade.transfers.push_back(copy(i % 2 == 0 ? "v" : "w", 1, i));
  const std::string drawn = drawn_in(grade);
  EXPECT_LT(drawn.size(), 100'000U);
  EXPECT_EQ(count_of(drawn, "<g "), kMostTimeLineEvents);
}

}  // namespace
}  // namespace warpmark
