#include "harness/class/roster/roster.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/base/moments.h"
#include "harness/class/run/take_in.h"

namespace warpmark::classroom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Roster : public testing::Test {
 protected:
  Result<std::vector<RosterEntry>> read(const std::string& text) const {
    std::ofstream(folder.path() / "roster.csv") << text;
    return read_roster(folder.path() / "roster.csv");
  }
  const TemporaryFolder folder;
};

TEST_F(Roster, takes_the_columns_that_platforms_write) {
  const auto canvas = read("Student,ID,SIS User ID,SIS Login ID,Section\n\"Doe, John\",101,s1,jdoe,A\n");
  ASSERT_TRUE(canvas) << canvas.error().message;
  EXPECT_EQ(canvas->front().person.name, "Doe, John");
  EXPECT_EQ(canvas->front().person.key, "101");
  EXPECT_EQ(canvas->front().person.sid, "s1");
  EXPECT_EQ(canvas->front().person.login, "jdoe");
  const auto moodle = read("First name;Last name;Email address;late_days\nAda;Doe;ada@x.edu;1.5\n");
  ASSERT_TRUE(moodle) << moodle.error().message;
  EXPECT_EQ(moodle->front().person.name, "Ada Doe");
  EXPECT_EQ(moodle->front().late_days, 1.5);
}

TEST_F(Roster, what_cannot_be_used_is_refused_with_the_reason) {
  const auto message = [&](const char* text) {
    const auto roster = read(text);
    return roster ? std::string("accepted") : roster.error().message;
  };
  EXPECT_THAT(message("colour,size\nred,1\n"), HasSubstr("known columns: name, id"));
  EXPECT_THAT(message("name,id\n"), HasSubstr("no student"));
  EXPECT_THAT(message("name,id\nA,1\nB,1\n"), HasSubstr("line 3: \"1\" occurs twice"));
  EXPECT_THAT(message("name,late_days\nA,soon\n"), HasSubstr("late_days is \"soon\""));
}

TEST_F(Roster, matches_by_key_before_name_and_by_name_in_any_order) {
  const auto roster = read("name,id,login\n\"Doe, John\",101,jd\nJane Roe,102,jr\nJohn Doe,103,jd2\n");
  ASSERT_TRUE(roster);
  const auto match = [&](Person person) { return matches(*roster, person); };
  EXPECT_THAT(match({"somebody else", "102", "", "", ""}), ElementsAre(1));
  EXPECT_THAT(match({"jr", "jr", "", "jr", ""}), ElementsAre(1));
  EXPECT_THAT(match({"roejane", "", "", "", ""}), ElementsAre(1));
  EXPECT_THAT(match({"JANE ROE", "", "", "", ""}), ElementsAre(1));
  EXPECT_THAT(match({"john doe", "", "", "", ""}), ElementsAre(0, 2));
  EXPECT_THAT(match({"nobody", "", "", "", ""}), IsEmpty());
}

TEST_F(Roster, who_cannot_be_told_is_said_and_never_guessed) {
  const auto roster = read("name,id\nJohn Doe,1\nJohn Doe,2\nAda,3\n");
  ASSERT_TRUE(roster);
  std::vector<bool> seen(3);
  EXPECT_THAT(identify({"John Doe", "", "", "", ""}, *roster, seen).doubt, HasSubstr("matches 2"));
  EXPECT_THAT(identify({"Zoë", "", "", "", ""}, *roster, seen).doubt, HasSubstr("not on the roster"));
  EXPECT_EQ(identify({"ada", "", "", "", ""}, *roster, seen).doubt, "");
  EXPECT_THAT(identify({"Ada", "", "", "", ""}, *roster, seen).doubt, HasSubstr("second submission"));
  EXPECT_THAT(seen, ElementsAre(false, false, true));
  EXPECT_EQ(identify({"Zoë", "", "", "", ""}, {}, seen).doubt, "");
}

TEST(Moment, needs_a_zone_and_a_date_that_there_is) {
  EXPECT_EQ(moment_of("1970-01-02T00:00:00Z"), 86400);
  EXPECT_EQ(moment_of("1970-01-02 01:00:00.000000000 +0100"), 86400);
  EXPECT_EQ(moment_of("1970-01-01T16:00-08:00"), 86400);
  EXPECT_EQ(moment_of("2026-11-20 10:00:00 UTC").value() - moment_of("2026-11-19T10:00:00Z").value(), 86400);
  for (const char* text : {"2026-11-20T10:00:00", "2026-02-30T10:00:00Z", "yesterday", "", "2026-11-20Z",
                           "2026-11-20T25:00:00Z"})
    EXPECT_FALSE(moment_of(text)) << text;
  EXPECT_EQ(days_late(0, 43200), 0.5);
  EXPECT_EQ(days_late(10, 0), 0);
}

}  // namespace
}  // namespace warpmark::classroom
