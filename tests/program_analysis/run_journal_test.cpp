#include "harness/program_analysis/run_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/wire/one_order_line.h"

namespace warpmark::program_analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kLaunched[] =
    R"({"findings":[],"launches":[{"kernel":"k","grid":[1,1,1],"block":[32,1,1]}],"notes":[],)"
    R"("transfers":[{"direction":"host_to_device","kind":"copy","launches_before":0,"bytes":4}]})";

constexpr char kCrashed[] = R"({"kind":"crashed","kernel":"","file":"","line":0,"message":"m"})";

TEST(RunJournal, gathers_the_lines_in_order) {
  const RunJournal journal =
      parse_run_journal(std::string(kLaunched) + "\n" +
                        R"({"findings":[{"kind":"race","kernel":"k","file":"a.cu","line":3,"other_line":5,)"
                        R"("message":"m"}],"launches":[],"transfers":[],"notes":[]})"
                        "\n" +
                        kLaunched + "\n");
  EXPECT_EQ(journal.launches.size(), 2U);
  EXPECT_EQ(journal.transfers.size(), 2U);
  ASSERT_EQ(journal.findings.size(), 1U);
  EXPECT_EQ(journal.findings[0].kind, CauseKind::race);
  EXPECT_EQ(journal.findings[0].line, 3);
  EXPECT_EQ(journal.findings[0].other_line, 5);
}

TEST(RunJournal, a_launch_runs_until_it_is_written_down) {
  const std::string begun = R"({"running":{"kernel":"k","grid":[1,1,1],"block":[32,1,1]}})";
  ASSERT_TRUE(parse_run_journal(begun).running);
  EXPECT_EQ(parse_run_journal(begun).running->kernel, "k");
  EXPECT_FALSE(parse_run_journal(begun + "\n" + kLaunched).running);
}

TEST(RunJournal, a_place_belongs_to_the_finding_before_it) {
  const RunJournal journal = parse_run_journal(std::string(kCrashed) + "\n{\"frames\":[7,9]}\n");
  ASSERT_EQ(journal.findings.size(), 1U);
  EXPECT_THAT(journal.findings[0].frames, ElementsAre(7, 9));
  EXPECT_THAT(parse_run_journal("{\"frames\":[7]}").findings, IsEmpty());
}

TEST(RunJournal, what_is_cut_off_or_foreign_is_left_out) {
  const RunJournal journal =
      parse_run_journal("hello\n[1]\n{\"findings\":7,\"launches\":{}}\n{\"kind\":\"race\",\"line\":\"x\"}\n" +
                        std::string(kCrashed) + "\n{\"findings\":[{\"ki");
  ASSERT_EQ(journal.findings.size(), 1U);
  EXPECT_EQ(journal.findings[0].kind, CauseKind::crashed);
  EXPECT_THAT(journal.launches, IsEmpty());
}

TEST(RunJournal, counts_launches_that_are_written_alike) {
  const std::string begun = R"({"running":{"kernel":"k","grid":[1,1,1],"block":[32,1,1]}})";
  const std::string two = begun + "\n" + kLaunched + "\n" + begun + "\n" + kLaunched + "\n";
  EXPECT_EQ(parse_run_journal(two).launches.size(), 2U);
  EXPECT_EQ(parse_run_journal(two + begun).launches.size(), 2U);
  EXPECT_TRUE(parse_run_journal(two + begun).running);
}

TEST(RunJournal, says_that_other_orders_show_nothing_else_in_a_line_of_its_own) {
  EXPECT_TRUE(has_line(std::string(kLaunched) + "\none order\n", wire::kOneOrderLine));
  EXPECT_FALSE(has_line(kLaunched, wire::kOneOrderLine));
  EXPECT_FALSE(has_line("{\"notes\":[\"one order\"]}\nno one order\n", wire::kOneOrderLine));
}

TEST(RunJournal, keeps_each_note_once) {
  const std::string line =
      R"({"launches":[],"transfers":[],"findings":[],"notes":[{"kernel":"k","message":"k printed too much"}]})";
  EXPECT_THAT(parse_run_journal(line + "\n" + line).notes, testing::ElementsAre("k printed too much"));
}

}  // namespace
}  // namespace warpmark::program_analysis
