// Writes and reads class.json, schema "warpmark.class/1".
#include "harness/model/class_result.h"

#include "harness/model/class_json.h"

namespace warpmark {

constexpr std::string_view kClassSchema = "warpmark.class/1";

WARPMARK_DESCRIBE(Lateness, late, days, deduction)

WARPMARK_DESCRIBE(ContestShare, version, within, points)

void describe(auto& archive, Of<StudentResult> auto& value) {
  WARPMARK_MEMBERS(id);
  archive.member("name", value.person.name);
  WARPMARK_MEMBERS(state, points, possible, open, needs_gpu, final_points, grade, cause, person, correction,
                   submitted, lateness, source, remarks);
  WARPMARK_OPTIONAL(bonus, contests);
}

WARPMARK_DESCRIBE(LookAt, id, why)

WARPMARK_DESCRIBE(Likeness, version, one, other, shared)

void describe(auto& archive, Of<CheckTally> auto& value) {
  WARPMARK_MEMBERS(version, check, passed, failed, not_started, not_decided);
  WARPMARK_OPTIONAL(unearned);
}

void describe(auto& archive, Of<CauseTally> auto& value) {
  WARPMARK_MEMBERS(version, kind, students);
  WARPMARK_OPTIONAL(again);
}

WARPMARK_DESCRIBE(CommonCause, what, students, of)

WARPMARK_DESCRIBE(Fastest, id, pseudonym, version, speedup, gb_per_s)

WARPMARK_DESCRIBE(ContestEntry, id, speedup, span, points, device)

WARPMARK_DESCRIBE(ContestResult, version, entries)

void describe(auto&& archive, Of<ClassResult> auto& value) {
  archive.schema(kClassSchema);
  WARPMARK_MEMBERS(assignment, possible, students, look_at, not_understood, alike);
  WARPMARK_OPTIONAL(checks, causes, common_causes, contests, staged, fastest);
  WARPMARK_MEMBERS(exit_status, tool_version);
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
