#include "harness/judge/checks/found_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Cause answer(CauseKind kind, const std::string& message, int line, const std::string& mistake = "") {
  Cause cause = make_cause(kind, message, "v.cu");
  cause.line = line;
  cause.mistake = mistake;
  cause.n = kind == CauseKind::not_written ? 1 : 33;
  return cause;
}

std::vector<Cause> reported(std::vector<Cause> causes) {
  FoundCauses found;
  found.add(std::move(causes));
  return std::move(found).worst_first();
}

TEST(FoundCauses, tell_a_missing_answer_and_its_wrong_parts_once_with_the_line) {
  const auto causes = reported({answer(CauseKind::not_written, "nothing was written to `b`", 0),
                                answer(CauseKind::wrong_output, "b[3] and b[4] were never written", 9)});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].line, 9);
  EXPECT_THAT(causes[0].message, HasSubstr("The same mistake shows as \"output not written\", with n = 1"));
}

TEST(FoundCauses, tell_answers_of_one_mistake_at_one_line_once) {
  EXPECT_THAT(reported({answer(CauseKind::not_written, "nothing was written", 9, "early_exit"),
                        answer(CauseKind::wrong_output, "b[3] is wrong", 9, "early_exit")}),
              SizeIs(1));
}

TEST(FoundCauses, tell_what_the_source_shows_once_whatever_follows_from_it) {
  const auto causes = reported({answer(CauseKind::wrong_output, "`1 / 2` is 0", 9, "sure_in_source"),
                                answer(CauseKind::crashed, "`1 / 2` is 0", 9, "sure_in_source")});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].message, HasSubstr("The same mistake shows as \"wrong output\""));
}

TEST(FoundCauses, keep_answers_apart_that_may_have_two_reasons) {
  EXPECT_THAT(reported({answer(CauseKind::not_written, "nothing was written", 9, "early_exit"),
                        answer(CauseKind::wrong_output, "b[3] is wrong", 12, "wrong_operator")}),
              SizeIs(2));
}

TEST(FoundCauses, tell_a_wrong_answer_before_a_larger_call_that_did_not_come_back) {
  const Cause wrong = answer(CauseKind::wrong_output, "b[3] is wrong", 9);
  Cause late = answer(CauseKind::timed_out, "the call did not come back", 12);
  late.n = 65537;
  EXPECT_EQ(reported({late, wrong}).front().kind, CauseKind::wrong_output);
  late.n = 1;
  EXPECT_EQ(reported({late, wrong}).front().kind, CauseKind::timed_out);
}

}  // namespace
}  // namespace warpmark::judge
