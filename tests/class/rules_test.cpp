#include "harness/class/run/rules.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::classroom {
namespace {

using testing::HasSubstr;

class RulesTest : public testing::Test {
 protected:
  // The course's rubric of `warmup` with lines before it.
  std::filesystem::path rubric(const std::string& lines) const {
    const auto file = folder.path() / "rubric.toml";
    std::ofstream(file) << lines
                        << read_file(WARPMARK_ROOT "/harness/assignments/warmup/assignment.toml").value();
    return file;
  }
  Result<Rules> rules(const std::string& lines, const std::string& engine = "auto") const {
    judge::Installation installation;
    installation.root = WARPMARK_ROOT;
    return rules_of(installation, {}, "warmup", rubric(lines), engine);
  }
  const TemporaryFolder folder;
};

TEST_F(RulesTest, late_policy_and_near_names_come_from_the_rubric) {
  const auto read = rules(
      "late = {percent_a_day = 10, grace_days = 1.5, at_most_percent = 50}\nnames = {take_near = true}\n");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->rubric.late.percent_a_day, 10);
  EXPECT_EQ(read->rubric.late.grace_days, 1.5);
  EXPECT_EQ(read->rubric.late.at_most_percent, 50);
  EXPECT_TRUE(read->rubric.takes_near_names);
  const auto none = rules("");
  ASSERT_TRUE(none);
  EXPECT_EQ(none->rubric.late.percent_a_day, 0);
  EXPECT_FALSE(none->rubric.takes_near_names);
}

TEST_F(RulesTest, a_late_policy_that_takes_more_than_all_is_refused) {
  const auto read = rules("late = {percent_a_day = 110}\n");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("from 0 to 100"));
  EXPECT_FALSE(rules("late = {percent = 10}\n"));
}

TEST_F(RulesTest, digest_changes_with_rubric_engine_and_compiler_alone) {
  const std::string digest = rules("").value().digest;
  EXPECT_EQ(rules("").value().digest, digest);
  EXPECT_NE(rules("# another\n").value().digest, digest);
  EXPECT_NE(rules("", "simulator").value().digest, digest);
  judge::Engines engines;
  engines.toolchains[Engine::simulator].description = "clang 15";
  engines.devices[Engine::simulator].name = "Warpmark simulator";
  judge::Installation installation;
  installation.root = WARPMARK_ROOT;
  EXPECT_NE(rules_of(installation, engines, "warmup", rubric(""), "auto").value().digest, digest);
}

TEST_F(RulesTest, possible_points_are_those_of_what_students_write) {
  EXPECT_EQ(possible_points(rules("").value().rubric), 20);
}

}  // namespace
}  // namespace warpmark::classroom
