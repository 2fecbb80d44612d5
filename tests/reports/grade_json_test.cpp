#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/grade.h"
#include "tests/reports/evidence.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

const Json& check_named(const Json& file, const std::string& id) {
  for (const Json& check : file.at("checks")) {
    if (check.at("id") == id) return check;
  }
  throw std::runtime_error("no check " + id);
}

std::string complaint_after(const std::function<void(Json&)>& change) {
  Json file = Json::parse(to_json(sample_grade()));
  change(file);
  const auto grade = grade_from_json(file.dump());
  return grade ? "it was read" : grade.error().message;
}

TEST(GradeNames, every_kind_of_cause_is_found_by_its_name) {
  std::set<std::string_view> names;
#define WARPMARK_X(kind, ...)                         \
  EXPECT_EQ(name_of(CauseKind::kind), #kind);         \
  EXPECT_EQ(cause_kind_from(#kind), CauseKind::kind); \
  EXPECT_TRUE(names.insert(name_of(CauseKind::kind)).second);
  WARPMARK_CAUSE_KINDS(WARPMARK_X)
#undef WARPMARK_X
  EXPECT_EQ(cause_kind_from("no_such_kind"), std::nullopt);
  EXPECT_EQ(cause_kind_from(""), std::nullopt);
}

TEST(GradeNames, verdicts_have_the_names_of_the_schema) {
  EXPECT_EQ(name_of(Verdict::passed), "passed");
  EXPECT_EQ(name_of(Verdict::failed), "failed");
  EXPECT_EQ(name_of(Verdict::not_run), "not_run");
  EXPECT_EQ(name_of(Verdict::inconclusive), "inconclusive");
  EXPECT_EQ(name_of(Verdict::broken), "broken");
}

TEST(GradeJson, has_the_members_of_the_schema_in_their_order) {
  const Json file = Json::parse(to_json(sample_grade()));
  EXPECT_THAT(keys_of(file),
              ElementsAre("schema", "assignment", "submission", "graded_at", "seed", "rubric", "engines",
                          "unwatched", "score", "checks", "measurements", "timing", "transfers", "launches",
                          "counters", "passed", "exit_status", "seconds", "tool_version"));
  EXPECT_EQ(file["schema"], "warpmark.grade/2");
  EXPECT_THAT(keys_of(file["submission"]), ElementsAre("name", "hash", "remarks"));
  EXPECT_THAT(keys_of(file["engines"][0]), ElementsAre("engine", "device", "compiler", "peak_gb_per_s"));
  EXPECT_THAT(keys_of(file["score"]), ElementsAre("points", "possible", "open", "needs_gpu"));
  EXPECT_THAT(keys_of(file["checks"][0]), ElementsAre("id", "version", "check", "engine", "verdict", "points",
                                                      "possible", "open", "seconds"));
  EXPECT_THAT(
      keys_of(file["measurements"][0]),
      ElementsAre("version", "n", "naive_ms", "student_ms", "naive_median_ms", "student_median_ms", "speedup",
                  "speedup_span", "control_span", "threshold", "reference_span", "calibrated", "decided_by",
                  "naive_before_ms", "naive_after_ms", "naive_calibrated_ms", "beyond_events_ms",
                  "over_previous", "gb_per_s", "percent_of_peak"));
  EXPECT_THAT(keys_of(file["timing"]),
              ElementsAre("calibration", "control_span", "before", "after", "exclusive_seconds"));
  EXPECT_THAT(keys_of(file["transfers"][0]), ElementsAre("during", "phase", "order", "direction", "kind",
                                                         "bytes", "count", "canary", "start_us", "end_us"));
  EXPECT_THAT(keys_of(file["launches"][0]),
              ElementsAre("during", "phase", "order", "kernel", "count", "start_us", "end_us"));
  EXPECT_THAT(keys_of(file["counters"][0]),
              ElementsAre("version", "type", "n", "sectors_per_request", "requests_per_element",
                          "bank_conflicts", "barriers", "global_atomics", "active_lanes", "multiprocessors",
                          "limits", "kernels", "lines"));
  EXPECT_THAT(keys_of(file["counters"][0]["limits"][0]),
              ElementsAre("counter", "title", "value", "limit", "at_least", "holds", "lesson"));
  EXPECT_THAT(keys_of(file["counters"][0]["kernels"][0]), ElementsAre("kernel", "launches", "counters"));
  EXPECT_THAT(keys_of(file["counters"][0]["lines"][0]), ElementsAre("file", "line", "text"));
  EXPECT_THAT(keys_of(file["counters"][0]["lines"][1]),
              ElementsAre("file", "line", "text", "instructions", "active_lanes", "requests",
                          "sectors_per_request", "shared_requests", "bank_conflicts", "atomics", "barriers"));
}

TEST(GradeJson, tells_a_cause_as_the_schema_does) {
  const Json file = Json::parse(to_json(sample_grade()));
  const Json& check = check_named(file, "reduction.v07_tree_sequential.correct");
  EXPECT_EQ(check["verdict"], "failed");
  EXPECT_EQ(check["engine"], "simulator");
  EXPECT_EQ(check["possible"], 3);
  const Json& cause = check["cause"];
  EXPECT_THAT(keys_of(cause), ElementsAre("kind", "type", "message", "file", "line", "expected", "actual",
                                          "n", "seed", "again", "excerpt", "launch", "elements", "accesses"));
  EXPECT_EQ(cause["kind"], "wrong_sum");
  EXPECT_EQ(cause["line"], 31);
  EXPECT_EQ(cause["n"], 1023);
  EXPECT_EQ(cause["excerpt"][2]["number"], 31);
}

TEST(GradeJson, repeats_the_first_of_several_causes_as_cause) {
  const Json file = Json::parse(to_json(sample_grade()));
  const Json& check = check_named(file, "reduction.v09_tree_unrolled_warp.clean");
  ASSERT_EQ(check["causes"].size(), 2U);
  EXPECT_EQ(check["cause"], check["causes"][0]);
  EXPECT_EQ(check["cause"]["kind"], "divergent_barrier");
  EXPECT_EQ(check["causes"][1]["kind"], "out_of_bounds");
}

TEST(GradeJson, lists_causes_only_where_there_are_several) {
  const Json file = Json::parse(to_json(sample_grade()));
  EXPECT_FALSE(check_named(file, "reduction.v07_tree_sequential.correct").contains("causes"));
  EXPECT_FALSE(check_named(file, "reduction.v01_atomic_per_element.builds").contains("cause"));
  const auto read = grade_from_json(file.dump());
  ASSERT_TRUE(read);
  for (const CheckResult& check : read->checks) {
    const std::size_t causes = check.verdict == Verdict::passed                       ? 0
                               : check.id == "reduction.v09_tree_unrolled_warp.clean" ? 2
                                                                                      : 1;
    EXPECT_EQ(check.causes.size(), causes) << check.id;
  }
}

TEST(GradeJson, leaves_out_what_a_cause_does_not_know) {
  Grade grade;
  grade.checks.emplace_back().causes.emplace_back();
  const Json file = Json::parse(to_json(grade));
  EXPECT_THAT(keys_of(file["checks"][0]["cause"]), ElementsAre("kind"));
}

TEST(GradeJson, keeps_a_size_of_zero) {
  Grade grade;
  grade.checks.emplace_back().causes.emplace_back().n = 0;
  EXPECT_EQ(Json::parse(to_json(grade))["checks"][0]["cause"]["n"], 0);
  EXPECT_EQ(grade_from_json(to_json(grade))->checks[0].causes[0].n, 0U);
}

TEST(GradeJson, writes_whole_numbers_without_a_point) {
  Grade grade;
  grade.score = {48, 60, 0.5, 0};
  const std::string text = to_json(grade);
  EXPECT_THAT(text, HasSubstr("\"points\": 48,"));
  EXPECT_THAT(text, HasSubstr("\"possible\": 60,"));
  EXPECT_THAT(text, HasSubstr("\"open\": 0.5"));
  EXPECT_THAT(text, Not(HasSubstr(".0")));
}

TEST(GradeJson, reads_back_what_it_wrote) {
  for (const Grade& grade : {sample_grade(), sample_grade_without_gpu(), Grade{}}) {
    const std::string text = to_json(grade);
    const auto read = grade_from_json(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), text);
  }
}

TEST(GradeJson, reads_each_member_into_its_place) {
  const Grade wrote = sample_grade();
  const auto read = grade_from_json(to_json(wrote));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->submission_name, "ada");
  EXPECT_EQ(read->submission_hash, wrote.submission_hash);
  EXPECT_EQ(read->engines[0].engine, Engine::gpu);
  EXPECT_EQ(read->engines[1].compiler, "clang 14.0.6");
  EXPECT_EQ(read->score.points, wrote.score.points);
  EXPECT_EQ(read->score.open, wrote.score.open);
  EXPECT_EQ(read->exit_status, 3);
  EXPECT_EQ(read->seconds, 41.5);
  EXPECT_EQ(read->tool_version, "0.1.0");
  EXPECT_EQ(read->measurements[1].naive_ms, wrote.measurements[1].naive_ms);
  EXPECT_EQ(read->measurements[1].speedup, wrote.measurements[1].speedup);
  EXPECT_EQ(read->measurements[1].speedup_span->high, wrote.measurements[1].speedup_span->high);
  EXPECT_EQ(read->timing->control_span->low, wrote.timing->control_span->low);
  EXPECT_EQ(read->timing->before.other_processes, wrote.timing->before.other_processes);
  EXPECT_EQ(read->timing->after.throttled_by, wrote.timing->after.throttled_by);
  EXPECT_TRUE(read->transfers[0].canary);
  ASSERT_EQ(read->counters.size(), 1U);
  EXPECT_EQ(read->counters[0].bank_conflicts, 8400U);
  EXPECT_EQ(read->counters[0].kernels[0].counters, wrote.counters[0].kernels[0].counters);
  EXPECT_EQ(read->counters[0].lines[1].sectors_per_request, 4);
  EXPECT_EQ(read->counters[0].lines[3].bank_conflicts, 8400U);
  EXPECT_EQ(read->transfers[1].bytes, 67108864U);
  EXPECT_EQ(read->transfers[2].count, 2U);
  EXPECT_EQ(read->transfers[3].phase, Phase::between);
  EXPECT_EQ(read->transfers[0].when->end_us, 20);
  EXPECT_FALSE(read->transfers[3].when.has_value());
  EXPECT_EQ(read->launches[0].kernel, "add_up");
  EXPECT_EQ(read->launches[0].order, 3U);
}

TEST(GradeJson, keeps_notes_apart_from_causes) {
  const auto read = grade_from_json(to_json(sample_grade()));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->checks[6].causes.empty());
  ASSERT_EQ(read->checks[6].notes.size(), 1U);
  EXPECT_EQ(read->checks[6].notes[0].kind, CauseKind::early_exit);
  EXPECT_EQ(read->checks[6].notes[0].other_line, 14);
  EXPECT_TRUE(read->checks[5].notes.empty());
}

TEST(GradeJson, keeps_what_pictures_are_drawn_from) {
  Grade grade;
  Cause& wrote = grade.checks.emplace_back().causes.emplace_back();
  wrote.kind = CauseKind::race;
  add_evidence(wrote);
  const auto read = grade_from_json(to_json(grade));
  ASSERT_TRUE(read) << read.error().message;
  const Cause& cause = read->checks[0].causes[0];
  EXPECT_EQ(cause.accesses[0].barriers, 2U);
  EXPECT_EQ(cause.accesses[1].barrier_line, 28);
  EXPECT_EQ(cause.warp_access, wrote.warp_access);
  EXPECT_EQ(cause.block_threads, wrote.block_threads);
  ASSERT_EQ(cause.rank_calls.size(), 2U);
  EXPECT_EQ(cause.rank_calls[0].calls[1].what, "MPI_Recv (rank 1)");
  EXPECT_EQ(cause.rank_calls[0].calls[1].line, 14);
  EXPECT_TRUE(cause.rank_calls[0].calls[1].waits);
  EXPECT_FALSE(cause.rank_calls[0].calls[0].waits);
  EXPECT_TRUE(cause.rank_calls[1].returned);
  EXPECT_EQ(cause.rank_calls[1].earlier, 3U);
  EXPECT_THAT(
      to_json(Grade{.checks = {CheckResult{.causes = {Cause{}}}}}),
      AllOf(Not(HasSubstr("warp_access")), Not(HasSubstr("block_threads")), Not(HasSubstr("rank_calls"))));
}

TEST(GradeJson, keeps_the_largest_size) {
  Grade grade;
  grade.checks.emplace_back().causes.emplace_back().n = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(grade_from_json(to_json(grade))->checks[0].causes[0].n,
            std::numeric_limits<std::uint64_t>::max());
}

TEST(GradeJson, replaces_bytes_that_are_not_utf8) {
  Grade grade;
  grade.submission_name =
      "a\xFF"
      "b";
  const auto read = grade_from_json(to_json(grade));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->submission_name,
            "a\xEF\xBF\xBD"
            "b");
}

TEST(GradeJson, carries_control_characters_escaped) {
  Grade grade;
  grade.submission_name = std::string("a\x1b[31m\n\0z", 9);
  const std::string text = to_json(grade);
  EXPECT_THAT(text, HasSubstr("a\\u001b[31m\\n\\u0000z"));
  EXPECT_EQ(grade_from_json(text)->submission_name, grade.submission_name);
}

TEST(GradeJson, a_sample_that_is_no_number_stays_one) {
  Grade grade;
  grade.measurements.emplace_back().student_ms = {1.5, std::nan("")};
  const auto read = grade_from_json(to_json(grade));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->measurements[0].student_ms[0], 1.5);
  EXPECT_TRUE(std::isnan(read->measurements[0].student_ms[1]));
}

TEST(GradeJson, an_empty_file_is_no_grade) {
  for (const char* text : {"", "{", "no json", "{\"schema\": \"warpmark.grade/1\"} more"}) {
    const auto grade = grade_from_json(text);
    ASSERT_FALSE(grade) << text;
    EXPECT_THAT(grade.error().message, HasSubstr("and not JSON"));
  }
  EXPECT_THAT(grade_from_json("[]").error().message, HasSubstr("the file is [], must be an object"));
  EXPECT_THAT(grade_from_json("{}").error().message, HasSubstr("schema is missing"));
}

TEST(GradeJson, refuses_another_schema) {
  EXPECT_THAT(complaint_after([](Json& file) { file["schema"] = "warpmark.grade/1"; }),
              HasSubstr("schema is \"warpmark.grade/1\", must be \"warpmark.grade/2\". Name the grade.json "
                        "that `warpmark grade` wrote"));
}

TEST(GradeJson, every_member_of_the_top_must_be_there) {
  for (const char* member :
       {"schema", "assignment", "submission", "engines", "score", "checks", "measurements", "timing",
        "transfers", "launches", "exit_status", "seconds", "tool_version"}) {
    EXPECT_THAT(complaint_after([&](Json& file) { file.erase(member); }),
                HasSubstr(std::string(": ") + member + " is missing"));
  }
}

TEST(GradeJson, every_member_of_a_check_must_be_there) {
  for (const char* member :
       {"id", "version", "check", "engine", "verdict", "points", "possible", "open", "seconds"}) {
    EXPECT_THAT(complaint_after([&](Json& file) { file["checks"][3].erase(member); }),
                HasSubstr(std::string(": checks[3].") + member + " is missing"));
  }
}

TEST(GradeJson, names_the_member_that_is_of_the_wrong_kind) {
  EXPECT_THAT(complaint_after([](Json& file) { file["checks"][3]["verdict"] = "perhaps"; }),
              HasSubstr("checks[3].verdict is \"perhaps\", must be \"passed\""));
  EXPECT_THAT(complaint_after([](Json& file) { file["checks"][3]["engine"] = "cpu"; }),
              HasSubstr("checks[3].engine is \"cpu\", must be \"gpu\", \"simulator\" or \"host\""));
  EXPECT_THAT(complaint_after([](Json& file) { file["checks"][3]["points"] = "3"; }),
              HasSubstr("checks[3].points is \"3\", must be a number"));
  EXPECT_THAT(complaint_after([](Json& file) { file["checks"] = 1; }),
              HasSubstr("checks is 1, must be a list"));
  EXPECT_THAT(complaint_after([](Json& file) { file["score"]["points"] = nullptr; }),
              HasSubstr("score.points is null, must be a number"));
  EXPECT_THAT(complaint_after([](Json& file) { file["measurements"][1]["naive_ms"][2] = "x"; }),
              HasSubstr("measurements[1].naive_ms[2] is \"x\", must be a number"));
  EXPECT_THAT(complaint_after([](Json& file) { file["measurements"][0]["n"] = -1; }),
              HasSubstr("measurements[0].n is -1, must be a whole number from 0"));
  EXPECT_THAT(complaint_after([](Json& file) { file["exit_status"] = 5000000000; }),
              HasSubstr("exit_status is 5000000000, must be a whole number up to 2147483647"));
  EXPECT_THAT(complaint_after([](Json& file) { file["transfers"][0]["canary"] = 1; }),
              HasSubstr("transfers[0].canary is 1, must be true or false"));
  EXPECT_THAT(complaint_after([](Json& file) { file["transfers"][0]["phase"] = "later"; }),
              HasSubstr("transfers[0].phase is \"later\", must be \"load\", \"call\" or \"between\""));
  EXPECT_THAT(complaint_after([](Json& file) { file["submission"] = "ada"; }),
              HasSubstr("submission is \"ada\", must be an object"));
  EXPECT_THAT(complaint_after([](Json& file) { file["submission"]["name"] = 7; }),
              HasSubstr("submission.name is 7, must be a string"));
}

TEST(GradeJson, names_the_cause_that_it_does_not_know) {
  Grade grade;
  grade.checks.emplace_back().causes.emplace_back();
  Json file = Json::parse(to_json(grade));
  file["checks"][0]["cause"]["kind"] = "bad_luck";
  EXPECT_THAT(
      grade_from_json(file.dump()).error().message,
      HasSubstr("checks[0].cause.kind is \"bad_luck\", must be a kind of cause that this tool knows"));
}

TEST(GradeJson, names_what_holds_others_by_its_kind_and_is_not_fooled_by_its_depth) {
  EXPECT_THAT(complaint_after([](Json& file) { file["assignment"] = Json{1}; }),
              HasSubstr("assignment is array, must be a string"));
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(grade_from_json(deep).error().message, HasSubstr("the file is array, must be an object"));
}

TEST(GradeJson, puts_counters_back_into_the_order_of_the_table) {
  Grade grade;
  grade.counters.emplace_back().kernels = {
      {"k", 1, {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1}, {"barriers", 2}, {"a", 3}}}};
  const auto read = grade_from_json(to_json(grade));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->counters[0].kernels[0].counters, grade.counters[0].kernels[0].counters);
}

TEST(GradeJson, does_not_mind_members_that_it_does_not_know) {
  EXPECT_EQ(complaint_after([](Json& file) { file["checks"][0]["colour"] = "blue"; }), "it was read");
}

}  // namespace
}  // namespace warpmark
