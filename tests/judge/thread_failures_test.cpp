// Of a version with threads, the race or the mistake comes first and its consequences are folded.
#include "harness/judge/checks/thread_failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Cause failure(CauseKind kind, const std::string& message, int line) {
  Cause cause = make_cause(kind, message, "v.cpp");
  cause.line = line;
  cause.n = 4099;
  return cause;
}

const Cause kCrash = failure(CauseKind::crashed, "the program crashed with signal 11; look for an index", 9);
const Cause kWrong = failure(CauseKind::wrong_output, "out[3] is wrong", 0);

class ThreadFailures : public testing::Test {
 protected:
  std::vector<Cause> told(std::vector<Cause> failures, const std::vector<Cause>& of_sanitizers) {
    return threads_first(std::move(failures), of_sanitizers, {&file, &submission, {}, nullptr});
  }
  SubmittedFile file{.path = {}, .name = "v.cpp", .text = "void v() {}\n", .causes = {}};
  Submission submission;
};

TEST_F(ThreadFailures, begin_with_the_race_and_fold_the_crash) {
  auto race = failure(CauseKind::race, "thread 1 writes 8 bytes here, and thread 2 reads. Give each", 5);
  race.n = 33;
  const auto causes = told({kCrash, kWrong}, {failure(CauseKind::use_after_free, "freed", 5), race});
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].kind, CauseKind::race);
  EXPECT_EQ(causes[0].line, 5);
  EXPECT_EQ(causes[0].n, 4099) << "the input on which this check failed";
  EXPECT_THAT(causes[0].message, HasSubstr("From it follows \"crash\", too"));
  EXPECT_EQ(causes[1].kind, CauseKind::wrong_output);
}

TEST_F(ThreadFailures, begin_with_the_mistake_that_the_source_shows) {
  file.text = "void v() {\n  std::thread one(f);\n  one.detach();\n}\n";
  const auto race =
      failure(CauseKind::race, "thread 1 writes 8 bytes here, and thread 2 reads. Give each", 2);
  const auto causes = told({kWrong}, {race});
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].line, 3);
  EXPECT_EQ(causes[0].mistake, "detached_thread");
  EXPECT_THAT(causes[0].message,
              HasSubstr("join() it in place of detach(). Seen: thread 1 writes 8 bytes at v.cpp:2"));
  EXPECT_THAT(causes[0].message, testing::Not(HasSubstr("Give each")));
  EXPECT_EQ(told({race}, {told({race}, {}).front()}).front().message.find("Seen: nobody"), std::string::npos);
}

TEST_F(ThreadFailures, without_a_race_or_a_mistake_stay_as_they_are) {
  const auto causes = told({kCrash, kWrong}, {});
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].message, kCrash.message);
}

TEST_F(ThreadFailures, are_none_where_nothing_failed) {
  EXPECT_TRUE(told({}, {failure(CauseKind::race, "thread 1 writes", 5)}).empty());
}

}  // namespace
}  // namespace warpmark::judge
