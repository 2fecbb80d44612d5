// Every member that the code writes is in the schemas, and the schemas refuse what it does not write.
#include "tests/reports/schema.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/ladder.h"
#include "tests/reports/evidence.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json sample_ladder() {
  LadderTime time;
  time.n = 1024;
  time.samples = 25;
  time.median_ms = 0.5;
  LadderTime missing;
  missing.n = 2048;
  missing.note = "skipped: no room";
  Ladder ladder;
  ladder.value_bytes = 4;
  ladder.series = {{"v01", false, {missing, time}, "", 0}};
  ladder.add_rates();
  return json::parse(to_json(ladder));
}

json sample_comparison() {
  Comparison comparison;
  comparison.sizes = {{"int", 2048, false, 0, 0, 0, 0, 0, 0, 0, "skipped: no room"},
                      {"int", 1024, true, 24, 0.006, 0.0084, 1.4, 1.38, 1.42, 699, ""}};
  return json::parse(to_json(comparison));
}

Grade grade_with_evidence() {
  Grade grade = sample_grade();
  for (CheckResult& check : grade.checks) {
    for (Cause& cause : check.causes) add_evidence(cause);
  }
  return grade;
}

TEST(Schema, takes_the_grades_that_the_code_writes) {
  for (const Grade& grade : {sample_grade(), sample_grade_without_gpu(), grade_with_evidence(), Grade{}}) {
    EXPECT_EQ(against_schema(json::parse(to_json(grade)), "grade"), "");
  }
}

TEST(Schema, takes_the_ladders_and_comparisons_that_the_code_writes) {
  EXPECT_EQ(against_schema(sample_ladder(), "ladder"), "");
  EXPECT_EQ(against_schema(sample_comparison(), "comparison"), "");
  for (const auto& [file, schema] :
       {std::pair{"nvidia-h200.json", "ladder"}, {"nvidia-h200-v21-v20.json", "comparison"}}) {
    const auto text = read_file(std::string(WARPMARK_ROOT "/reports/ladder/") + file);
    ASSERT_TRUE(text);
    EXPECT_EQ(against_schema(json::parse(*text), schema), "");
  }
}

// Renames every member of a file, one after the other.
void for_each_renamed(json& file, json& part, const std::function<void(const std::string&)>& then) {
  if (part.is_array() && !part.empty()) for_each_renamed(file, part.back(), then);
  if (!part.is_object()) return;
  std::vector<std::string> names;
  for (const auto& item : part.items()) names.push_back(item.key());
  for (const std::string& name : names) {
    for_each_renamed(file, part[name], then);
    if (name.find("__") != std::string::npos || name == "barriers") continue;  // counters have any name
    const json value = part[name];
    part.erase(name);
    part[name + "_"] = value;
    then(name);
    part.erase(name + "_");
    part[name] = value;
  }
}

TEST(Schema, refuses_a_member_of_another_name) {
  const json grade = json::parse(to_json(grade_with_evidence()));
  for (const auto& [file, schema] :
       {std::pair{grade, "grade"}, {sample_ladder(), "ladder"}, {sample_comparison(), "comparison"}}) {
    json changed = file;
    std::size_t renamed = 0;
    for_each_renamed(changed, changed, [&](const std::string& name) {
      ++renamed;
      EXPECT_NE(against_schema(changed, schema), "") << schema << ": " << name;
    });
    EXPECT_GT(renamed, 10U);
  }
}

TEST(Schema, knows_every_kind_of_cause) {
  Grade grade = sample_grade();
  for (const CauseRule& rule : kCauseRules) grade.checks[0].notes.push_back(make_cause(rule.kind, "x"));
  EXPECT_EQ(against_schema(json::parse(to_json(grade)), "grade"), "");
}

TEST(Schema, says_where_a_file_goes_against_it) {
  json grade = json::parse(to_json(sample_grade()));
  grade["checks"][3]["points"] = "3";
  EXPECT_THAT(against_schema(grade, "grade"), HasSubstr("[checks][3][points]"));
}

}  // namespace
}  // namespace warpmark
