// class.json, schema "warpmark.class/1".
#include "harness/model/class_result.h"

#include "harness/model/cause_json.h"
#include "harness/model/class_json.h"

namespace warpmark {

using model::Of;

constexpr std::string_view kClassSchema = "warpmark.class/1";

std::string_view name_of(StudentState state) {
  switch (state) {
    case StudentState::graded:
      return "graded";
    case StudentState::waiting:
      return "waiting";
    case StudentState::missing:
      return "missing";
    case StudentState::unusable:
      return "unusable";
    case StudentState::broken:
      break;
  }
  return "broken";
}

void describe(auto& archive, Of<Lateness> auto& lateness) {
  archive("late", lateness.late);
  archive("days", lateness.days);
  archive("deduction", lateness.deduction);
}

void describe(auto& archive, Of<StudentResult> auto& student) {
  archive("id", student.id);
  archive("name", student.person.name);
  archive("state", student.state);
  archive("points", student.points);
  archive("possible", student.possible);
  archive("open", student.open);
  archive("needs_gpu", student.needs_gpu);
  archive("final_points", student.final_points);
  archive("grade", student.grade);
  archive("cause", student.cause);
  archive("person", student.person);
  archive("correction", student.correction);
  archive("submitted", student.submitted);
  archive("lateness", student.lateness);
  archive("source", student.source);
  archive("remarks", student.remarks);
}

void describe(auto& archive, Of<LookAt> auto& entry) {
  archive("id", entry.id);
  archive("why", entry.why);
}

void describe(auto& archive, Of<Likeness> auto& likeness) {
  archive("version", likeness.version);
  archive("one", likeness.one);
  archive("other", likeness.other);
  archive("shared", likeness.shared);
}

void describe(auto& archive, Of<CheckTally> auto& tally) {
  archive("version", tally.version);
  archive("check", tally.check);
  archive("passed", tally.passed);
  archive("failed", tally.failed);
  archive("not_started", tally.not_started);
  archive("not_decided", tally.not_decided);
  archive.unless_empty("unearned", tally.unearned);
}

void describe(auto& archive, Of<CauseTally> auto& tally) {
  archive("version", tally.version);
  archive("kind", tally.kind);
  archive("students", tally.students);
  archive.unless_empty("again", tally.again);
}

void describe(auto& archive, Of<CommonCause> auto& cause) {
  archive("what", cause.what);
  archive("students", cause.students);
  archive("of", cause.of);
}

void describe(auto& archive, Of<Fastest> auto& fastest) {
  archive("id", fastest.id);
  archive("pseudonym", fastest.pseudonym);
  archive("version", fastest.version);
  archive("speedup", fastest.speedup);
  archive("gb_per_s", fastest.gb_per_s);
}

void describe(auto&& archive, Of<ClassResult> auto& result) {
  archive.schema(kClassSchema);
  archive("assignment", result.assignment);
  archive("possible", result.possible);
  archive("students", result.students);
  archive("look_at", result.look_at);
  archive("not_understood", result.not_understood);
  archive("alike", result.alike);
  archive.unless_empty("checks", result.checks);
  archive.unless_empty("causes", result.causes);
  archive.unless_empty("common_causes", result.common_causes);
  archive.unless_empty("fastest", result.fastest);
  archive("exit_status", result.exit_status);
  archive("tool_version", result.tool_version);
}

std::string text_of(const CommonCause& cause) {
  return fmt::format("{} of {}: {}", cause.students.size(), cause.of, cause.what);
}

std::string to_json(const ClassResult& result) {
  return model::Writer::json_of(result).dump(2, ' ', false, model::Json::error_handler_t::replace) + "\n";
}

Result<ClassResult> class_from_json(const std::string& text) {
  return model::read_file_of<ClassResult>(text, "a class's result",
                                          "Name what `warpmark class` wrote, or run it again.");
}

}  // namespace warpmark
