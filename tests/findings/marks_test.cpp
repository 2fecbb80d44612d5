#include "tests/findings/marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::findings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Marks, say_kind_and_line) {
  const Marks marks =
      marks_of("int a;  // EXPECT(race) ALSO(leak)\n// OTHER-NEXT(race)\nint b;  // MISSING(deadlock)\n");
  EXPECT_THAT(marks.expected, ElementsAre(Mark{"race", 1}));
  EXPECT_THAT(marks.allowed, ElementsAre(Mark{"leak", 1}));
  EXPECT_THAT(marks.others, ElementsAre(Mark{"race", 3}));
  EXPECT_THAT(marks.missing, ElementsAre(Mark{"deadlock", 3}));
}

TEST(Marks, give_no_line_to_what_has_none) {
  EXPECT_THAT(marks_of("a;\nb;  // EXPECT(schedule_dependent)\n").expected,
              ElementsAre(Mark{"schedule_dependent", 0}));
}

const std::string kProgram = "a;  // EXPECT(race)\nb;  // OTHER(race)\nc;  // ALSO(race)\n";

TEST(Complaints, are_none_when_all_is_as_marked) {
  const Marks marks = marks_of(kProgram);
  EXPECT_THAT(complaints(marks, {{"race", 1, 2}}), IsEmpty());
  EXPECT_THAT(complaints(marks, {{"race", 2, 1}, {"race", 3, 0}, {"race", 1, 1}}), IsEmpty());
  EXPECT_THAT(complaints({}, {}), IsEmpty());
}

TEST(Complaints, name_what_is_not_found_there) {
  const Marks marks = marks_of(kProgram);
  EXPECT_THAT(complaints(marks, {}), ElementsAre("race at line 1 is not found"));
  EXPECT_THAT(complaints(marks, {{"race", 3, 0}}), ElementsAre("race at line 1 is not found"));
  EXPECT_THAT(complaints(marks, {{"leak", 1, 0}}), testing::Contains("race at line 1 is not found"));
}

TEST(Complaints, name_what_was_not_to_be_found) {
  const Marks marks = marks_of(kProgram);
  EXPECT_THAT(complaints(marks, {{"race", 1, 9}}), ElementsAre("race at lines 1 and 9 was not to be found"));
  EXPECT_THAT(complaints(marks, {{"race", 1, 2}, {"race", 2, 0}}),
              ElementsAre("race at lines 2 and 0 was not to be found"));
  EXPECT_THAT(complaints({}, {{"leak", 4, 0}}), ElementsAre("leak at lines 4 and 0 was not to be found"));
}

TEST(Complaints, do_not_count_an_answer_that_a_race_changes) {
  EXPECT_THAT(complaints(marks_of(kProgram), {{"race", 1, 2}, {"schedule_dependent", 0, 0}}), IsEmpty());
  EXPECT_THAT(complaints(marks_of("a;  // EXPECT(leak)"), {{"leak", 1, 0}, {"schedule_dependent", 0, 0}}),
              ElementsAre(HasSubstr("schedule_dependent")));
}

TEST(Complaints, ask_to_unmark_what_is_found_at_last) {
  const Marks marks = marks_of("a;  // MISSING(deadlock)\n");
  EXPECT_THAT(complaints(marks, {}), IsEmpty());
  EXPECT_THAT(complaints(marks, {{"deadlock", 1, 0}}), testing::Contains(HasSubstr("mark it EXPECT")));
}

}  // namespace
}  // namespace warpmark::findings
