#include "harness/class/journal/journal.h"

#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/class/journal/lock.h"

namespace warpmark::classroom {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Outcome outcome_with(const std::string& grade, double points) {
  Outcome outcome;
  outcome.content = "c";
  outcome.rules = "r";
  outcome.grade = grade;
  outcome.score = {points, 100, 20, 18};
  outcome.exit_status = 1;
  outcome.doubt = "noise";
  outcome.again = true;
  return outcome;
}

class JournalTest : public testing::Test {
 protected:
  Journal open() const { return std::move(Journal::open(folder.path()).value()); }
  const TemporaryFolder folder;
};

TEST_F(JournalTest, keeps_all_of_an_outcome_for_the_next_process) {
  open().set_outcome(Shelf::current, "Zoë", outcome_with("{}", 60));
  const auto read = open().outcome(Shelf::current, "Zoë");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->content, "c");
  EXPECT_EQ(read->rules, "r");
  EXPECT_EQ(read->grade, "{}");
  EXPECT_EQ(read->score.points, 60);
  EXPECT_EQ(read->score.possible, 100);
  EXPECT_EQ(read->score.open, 20);
  EXPECT_EQ(read->score.needs_gpu, 18);
  EXPECT_EQ(read->score.bonus, 0);
  EXPECT_EQ(read->exit_status, 1);
  EXPECT_EQ(read->doubt, "noise");
  EXPECT_TRUE(read->again);
  EXPECT_EQ(read->state, StudentState::graded);
  EXPECT_FALSE(read->cause);
  EXPECT_FALSE(open().outcome(Shelf::current, "zoë"));
}

TEST_F(JournalTest, keeps_the_bonus_also_where_an_earlier_version_of_warpmark_began_it) {
  open().set_outcome(Shelf::current, "a", outcome_with("{}", 60));
  {
    SQLite::Database database((folder.path() / "journal.sqlite").string(), SQLite::OPEN_READWRITE);
    database.exec("ALTER TABLE outcome DROP COLUMN bonus");
    database.exec("DROP TABLE attempt");
    database.exec("PRAGMA user_version=1");
  }
  EXPECT_EQ(open().outcome(Shelf::current, "a")->score.bonus, 0);
  EXPECT_EQ(open().attempts("a"), 1U);
  Outcome outcome = outcome_with("{}", 60);
  outcome.score.bonus = 3;
  open().set_outcome(Shelf::current, "a", outcome);
  EXPECT_EQ(open().outcome(Shelf::current, "a")->score.bonus, 3);
  EXPECT_EQ(open().outcomes(Shelf::current).at("a").score.bonus, 3);
}

TEST_F(JournalTest, keeps_why_there_is_no_grade) {
  Outcome outcome;
  outcome.state = StudentState::unusable;
  outcome.cause = StudentCause{"refused", "no version"};
  open().set_outcome(Shelf::current, "a", outcome);
  const auto all = open().outcomes(Shelf::current);
  ASSERT_TRUE(all.contains("a"));
  EXPECT_EQ(all.at("a").state, StudentState::unusable);
  EXPECT_EQ(all.at("a").cause->message, "no version");
}

TEST_F(JournalTest, keeps_the_class_and_its_ids) {
  TakenClass taken;
  taken.assignment = "warmup";
  Taken student;
  student.id = "a";
  student.person = {"Ada", "1", "a@x", "ada", "s"};
  student.lateness = {true, 1.5, 0};
  student.remarks = {"r"};
  student.fault = StudentCause{"damaged", "m"};
  student.doubt = "d";
  taken.students = {student};
  taken.not_understood = {{"w", "y"}};
  open().set_taken(taken, {{"identity", "a"}});
  const auto read = open().taken();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->assignment, "warmup");
  ASSERT_THAT(read->students, SizeIs(1));
  EXPECT_EQ(read->students[0].person.name, "Ada");
  EXPECT_EQ(read->students[0].person.sid, "s");
  EXPECT_EQ(read->students[0].lateness.days, 1.5);
  EXPECT_EQ(read->students[0].fault->kind, "damaged");
  EXPECT_EQ(read->students[0].doubt, "d");
  EXPECT_EQ(read->not_understood[0].why, "y");
  EXPECT_EQ(open().ids().at("identity"), "a");
}

TEST_F(JournalTest, a_shadow_is_applied_or_discarded_as_a_whole) {
  Journal journal = open();
  journal.set_outcome(Shelf::current, "a", outcome_with("old", 1));
  journal.set_outcome(Shelf::current, "b", outcome_with("old", 1));
  journal.set_outcome(Shelf::shadow, "a", outcome_with("new", 2));
  journal.set_fact("shadow", "complete");
  EXPECT_EQ(journal.outcome(Shelf::current, "a")->grade, "old");
  journal.apply_shadow();
  EXPECT_EQ(journal.outcome(Shelf::current, "a")->grade, "new");
  EXPECT_EQ(journal.outcome(Shelf::current, "b")->grade, "old");
  EXPECT_THAT(journal.outcomes(Shelf::shadow), IsEmpty());
  EXPECT_EQ(journal.fact("shadow"), "");
  journal.set_outcome(Shelf::shadow, "a", outcome_with("newer", 3));
  journal.discard_shadow();
  EXPECT_EQ(journal.outcome(Shelf::current, "a")->grade, "new");
  EXPECT_THAT(journal.outcomes(Shelf::shadow), IsEmpty());
}

TEST_F(JournalTest, corrections_survive_a_regrade_until_they_are_withdrawn) {
  {
    Journal journal = open();
    journal.correct("a", {12, false, "oral exam", "ada", "2026-11-22T10:00:00Z"});
    journal.set_outcome(Shelf::shadow, "a", outcome_with("new", 2));
    journal.apply_shadow();
  }
  Journal journal = open();
  const auto corrections = journal.corrections();
  ASSERT_TRUE(corrections.contains("a"));
  EXPECT_EQ(corrections.at("a").points, 12);
  EXPECT_EQ(corrections.at("a").comment, "oral exam");
  EXPECT_TRUE(journal.withdraw_correction("a"));
  EXPECT_FALSE(journal.withdraw_correction("a"));
}

// A file system that several machines share has no memory that they share.
TEST_F(JournalTest, needs_no_shared_memory_beside_it) {
  Journal journal = open();
  journal.set_outcome(Shelf::current, "a", outcome_with("{}", 1));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "journal.sqlite-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "journal.sqlite-shm"));
}

TEST_F(JournalTest, a_grade_that_was_committed_outlives_a_kill) {
  const pid_t child = fork();
  if (child == 0) {
    Journal journal = open();
    journal.set_outcome(Shelf::current, "a", outcome_with("kept", 1));
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(open().outcome(Shelf::current, "a")->grade, "kept");
}

TEST_F(JournalTest, a_file_of_another_program_is_refused) {
  std::ofstream(folder.path() / "journal.sqlite")
      << "this is no database, and long enough to be looked at as one";
  const auto journal = Journal::open(folder.path());
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().message, HasSubstr("journal.sqlite"));
}

TEST(LockTest, the_second_is_told_who_holds_it_until_that_one_is_gone) {
  const TemporaryFolder folder;
  {
    const auto first = Lock::take(folder.path());
    ASSERT_TRUE(first);
    const auto second = Lock::take(folder.path());
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr(user_name()));
    EXPECT_THAT(second.error().message, HasSubstr(std::to_string(getpid())));
  }
  EXPECT_TRUE(Lock::take(folder.path()));
}

}  // namespace
}  // namespace warpmark::classroom
