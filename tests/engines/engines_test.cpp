// The table of differences, of records that are written down here and of one fixture that is graded.
#include <cstdlib>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"
#include "tests/cli/child.h"
#include "tests/engines/choice.h"
#include "tests/engines/differences.h"
#include "tests/engines/without_fast.h"
#include "tests/home.h"

namespace warpmark::engines {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::vector<std::string> kRuns{"gpu", "simulator"};
const Told kPassed{"passed", "", "", 0, ""};
const Told kRace{"failed", "race", "v07.cu", 31, "two threads"};

Record record(const std::string& fixture, const std::string& run, const Told& told,
              const std::string& check = "reduction.v07.correct") {
  return {fixture, run, {{check, told}}, 1};
}

Comparison compared(const std::vector<Record>& records, const std::vector<std::string>& fixtures,
                    const std::vector<Reason>& reasons = {}) {
  return compare(records, kRuns, fixtures, fixtures, reasons);
}

Comparison of_one(const Told& on_gpu, const Told& on_simulator, const std::vector<Reason>& reasons = {}) {
  return compared({record("a/b", "gpu", on_gpu), record("a/b", "simulator", on_simulator)}, {"a/b"}, reasons);
}

TEST(Differences, are_none_where_the_engines_agree) {
  const Comparison same = of_one(kRace, kRace);
  EXPECT_TRUE(same.is_settled());
  EXPECT_EQ(same.checks, 1U);
  Told other_words = kRace;
  other_words.message = "others";
  EXPECT_THAT(of_one(kRace, other_words).differences, IsEmpty());
}

TEST(Differences, are_of_verdict_cause_or_line) {
  Told elsewhere = kRace, other = kRace;
  elsewhere.line = 32;
  other.kind = "wrong_sum";
  EXPECT_EQ(of_one(kPassed, kRace).differences.at(0).in, "verdict");
  EXPECT_EQ(of_one(other, kRace).differences.at(0).in, "cause");
  const Comparison line = of_one(elsewhere, kRace);
  EXPECT_EQ(line.differences.at(0).in, "line");
  EXPECT_FALSE(line.is_settled());
  EXPECT_THAT(to_text(line), HasSubstr("a/b reduction.v07.correct: another line\n"
                                       "    gpu        failed race v07.cu:32\n"));
}

TEST(Differences, of_what_only_follows_are_left_out) {
  const Told depends{"not_run", "depends", "", 0, ""};
  Record gpu = record("a/b", "gpu", kRace), simulator = record("a/b", "simulator", kPassed);
  gpu.checks["reduction.v07.work"] = depends;
  simulator.checks["reduction.v07.work"] = kPassed;
  EXPECT_THAT(compared({gpu, simulator}, {"a/b"}).differences, SizeIs(1));
  gpu.checks["reduction.v08.work"] = depends;  // nothing of v08 explains it
  simulator.checks["reduction.v08.work"] = kPassed;
  EXPECT_THAT(compared({gpu, simulator}, {"a/b"}).differences, SizeIs(2));
}

TEST(Differences, tell_which_fixtures_were_not_graded_in_every_run) {
  const Comparison half = compared({record("a/b", "gpu", kPassed)}, {"a/b"});
  EXPECT_THAT(half.lacking, ElementsAre("a/b"));
  EXPECT_FALSE(half.is_settled());
}

TEST(Differences, of_three_runs_are_those_of_any_two) {
  const std::vector<Record> records{record("a/b", "gpu", kRace), record("a/b", "gpu.2", kRace),
                                    record("a/b", "simulator", kPassed)};
  EXPECT_THAT(compare(records, {"gpu", "gpu.2", "simulator"}, {"a/b"}, {"a/b"}, {}).differences, SizeIs(1));
}

TEST(Reasons, settle_the_differences_that_they_describe) {
  const Reason reason{"a/*", "*.correct", {{"gpu", "failed race *"}}, "chance"};
  const Comparison explained = of_one(kRace, kPassed, {reason});
  EXPECT_TRUE(explained.is_settled());
  EXPECT_THAT(to_text(explained), HasSubstr("reason     chance"));
  EXPECT_FALSE(of_one(kPassed, kRace, {reason}).is_settled());
}

TEST(Reasons, that_no_difference_needs_are_reported_once_all_their_fixtures_are_graded) {
  const Reason reason{"a/*", "*", {}, "chance"};
  EXPECT_THAT(of_one(kRace, kRace, {reason}).unneeded, SizeIs(1));
  const std::vector<Record> records{record("a/b", "gpu", kRace), record("a/b", "simulator", kRace)};
  EXPECT_THAT(compare(records, kRuns, {"a/b"}, {"a/b", "a/c"}, {reason}).unneeded, IsEmpty());
  EXPECT_THAT(compare(records, kRuns, {"a/b"}, {"a/b"}, {{"misspelt", "*", {}, "x"}}).unneeded, SizeIs(1));
}

TEST(Reasons, of_chance_may_be_unneeded) {
  const Reason reason{"a/*", "*.correct", {}, "chance", true};
  EXPECT_TRUE(of_one(kRace, kRace, {reason}).is_settled());
  EXPECT_TRUE(of_one(kRace, kPassed, {reason}).is_settled());
}

TEST(Reasons, of_the_repository_are_read_and_name_fixtures) {
  const auto reasons = read_reasons(WARPMARK_REASONS);
  ASSERT_TRUE(reasons) << reasons.error().message;
  const auto all = all_fixtures();
  ASSERT_TRUE(all) << all.error().message;
  for (const Reason& reason : *reasons) {
    EXPECT_TRUE(std::ranges::any_of(*all, [&](const Fixture& each) {
      return matches(reason.fixture, each.id());
    })) << reason.fixture;
  }
}

TEST(Reasons, are_refused_without_a_why_and_with_an_unknown_member) {
  const TemporaryFolder folder;
  const fs::path table = folder.path() / "reasons.toml";
  ASSERT_TRUE(write_file(table, "[[reason]]\nfixture = \"a/b\"\n"));
  EXPECT_THAT(read_reasons(table).error().message, HasSubstr("and why"));
  ASSERT_TRUE(write_file(table, "[[reason]]\nfixture = \"a/b\"\nwhy = \"x\"\nhost = \"y\"\n"));
  EXPECT_THAT(read_reasons(table).error().message, HasSubstr("unknown member host"));
}

TEST(Records, come_back_from_their_lines_and_the_latest_counts) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "1.jsonl")
      << to_line(record("a/b", "gpu", kPassed)) << "\n"
      << to_line(record("a/b", "gpu", kRace)) << "\n"
      << to_line(record("a/c", "gpu", kRace)).substr(0, 40);  // an interrupted run
  const auto records = read_records({folder.path()});
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_EQ(records[0].fixture, "a/b");
  const Told& told = records[0].checks.at("reduction.v07.correct");
  EXPECT_EQ(told.text(), "failed race v07.cu:31");
  EXPECT_EQ(told.message, "two threads");
}

TEST(Records, of_a_grade_leave_fast_out) {
  Grade grade;
  for (const char* check : {"correct", "fast"}) {
    CheckResult result;
    result.id = fmt::format("reduction.v07.{}", check);
    result.check = check;
    result.verdict = Verdict::failed;
    result.causes = {make_cause(CauseKind::wrong_sum, "3, not 4", "v07.cu")};
    grade.checks.push_back(result);
  }
  const Record made = record_of("a/b", "gpu", grade);
  ASSERT_THAT(made.checks, SizeIs(1));
  EXPECT_EQ(made.checks.at("reduction.v07.correct").text(), "failed wrong_sum v07.cu");
}

TEST(Records, of_a_class_are_those_of_its_students) {
  const TemporaryFolder folder;
  ClassResult result;
  result.students.resize(2);
  result.students[0].id = "ada";
  result.students[0].grade = "students/ada/grade.json";
  result.students[1].id = "bob";
  fs::create_directories(folder.path() / "students/ada");
  Grade grade;
  grade.checks.resize(1);
  grade.checks[0].id = "reduction.v07.correct";
  grade.checks[0].verdict = Verdict::passed;
  ASSERT_TRUE(write_file(folder.path() / "class.json", to_json(result)));
  ASSERT_TRUE(write_file(folder.path() / "students/ada/grade.json", to_json(grade)));
  const auto records = records_of_class(folder.path(), "first");
  ASSERT_TRUE(records) << records.error().message;
  ASSERT_THAT(*records, SizeIs(2));
  EXPECT_EQ(records->at(0).checks.at("reduction.v07.correct").text(), "passed");
  EXPECT_EQ(records->at(1).checks.at("grade").verdict, "refused");
}

TEST(Choice, has_shards_that_share_all_fixtures) {
  const auto all = all_fixtures();
  ASSERT_TRUE(all) << all.error().message;
  std::set<std::string> ids;
  std::set<std::string> corpora;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    Choice choice;
    ASSERT_TRUE(read_shard(shard, choice));
    for (const Fixture* each : chosen(*all, choice)) {
      EXPECT_TRUE(ids.insert(each->id()).second) << each->id();
      corpora.insert(each->corpus);
    }
  }
  EXPECT_EQ(ids.size(), all->size());
  EXPECT_THAT(corpora, ElementsAre("honest", "hostile", "mistakes", "odd", "pictures", "submissions"));
  Choice wrong;
  for (const char* shard : {"0/3", "4/3", "1", "1/3x"}) EXPECT_FALSE(read_shard(shard, wrong)) << shard;
}

TEST(Choice, numbers_runs_on_the_same_engine) {
  EXPECT_THAT(runs_of("gpu,gpu,simulator"), ElementsAre("gpu", "gpu.2", "simulator"));
}

TEST(Rubrics, without_fast_are_still_rubrics) {
  for (const std::string& name : names_of_assignments()) {
    const AssignmentHome home = home_of(name);
    const auto text = without_fast(read_file(home.rules()).value_or(""));
    ASSERT_TRUE(text) << name;
    const TemporaryFolder folder;
    ASSERT_TRUE(write_file(folder.path() / "rubric.toml", *text));
    const auto rubric = judge::read_rubric(home, folder.path() / "rubric.toml");
    ASSERT_TRUE(rubric) << name << ": " << rubric.error().message;
    for (const judge::VersionRule& version : rubric->versions) {
      EXPECT_FALSE(version.has(judge::Check::fast)) << version.name;
      EXPECT_TRUE(version.has(judge::Check::builds)) << version.name;
    }
  }
}

class EnginesTable : public testing::Test {
 protected:
  [[nodiscard]] Child run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv{WARPMARK_ENGINES_TABLE};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run_child(argv, {{"PATH", std::getenv("PATH")}}, folder_.path());
  }
  [[nodiscard]] fs::path records() const { return folder_.path() / "records"; }

 private:
  TemporaryFolder folder_;
};

TEST_F(EnginesTable, is_empty_for_one_engine_twice_and_shows_a_record_that_was_changed) {
  const std::vector<std::string> which{"--engines", "simulator,simulator", "--only",
                                       "mistakes/build_semicolon"};
  auto arguments = which;
  arguments.insert(arguments.end(), {"--into", records().string()});
  const Child graded = run(arguments);
  ASSERT_EQ(graded.status, 0) << graded.output;
  EXPECT_THAT(graded.output, HasSubstr("1 fixtures, 3 checks in simulator, simulator.2: 0 differences"));
  EXPECT_THAT(run(arguments).output, Not(HasSubstr("1 of 2")));  // both are there

  auto all = read_records({records()});
  ASSERT_THAT(all, SizeIs(2));
  ++all[1].checks.at("reduction.v07_tree_sequential.builds").line;
  std::ofstream(records() / "later.jsonl") << to_line(all[1]) << "\n";
  arguments = which;
  arguments.insert(arguments.end(), {"--merge", records().string()});
  const Child changed = run(arguments);
  EXPECT_EQ(changed.status, 1) << changed.output;
  EXPECT_THAT(changed.output,
              HasSubstr("mistakes/build_semicolon reduction.v07_tree_sequential.builds: another line"));
}

// The simulator's cause comes first, with its line, and so it is the same as without a GPU.
TEST_F(EnginesTable, is_empty_where_a_second_simulator_takes_the_place_of_the_gpu) {
  // Of what is right, a worker that did not start would say another thing.
  for (const char* fixture : {"mistakes/bounds_less_or_equal", "honest/honest.time_measured"}) {
    const Child child = run({"--engines", "stand-in,simulator", "--only", fixture});
    EXPECT_EQ(child.status, 0) << child.output;
    EXPECT_THAT(child.output, HasSubstr("1 fixtures, 3 checks in stand-in, simulator: 0 differences"));
  }
}

TEST_F(EnginesTable, is_not_run_without_a_gpu) {
  if (fs::exists("/dev/nvidiactl")) GTEST_SKIP() << "not run: there may be a CUDA device";
  const Child child = run({"--only", "mistakes/build_semicolon"});
  EXPECT_EQ(child.status, 77);
  EXPECT_THAT(child.output, HasSubstr("not run: no CUDA device"));
}

}  // namespace
}  // namespace warpmark::engines
