#include "harness/class/journal/taken.h"

#include "harness/model/class_json.h"

namespace warpmark::classroom {

void describe(auto& archive, Of<Taken> auto& value) {
  WARPMARK_MEMBERS(id);
  archive.member("name", value.person.name);
  WARPMARK_MEMBERS(person, source, submitted);
  archive.member("late", value.lateness.late);
  archive.member("days", value.lateness.days);
  WARPMARK_MEMBERS(content, remarks, fault, doubt);
  WARPMARK_OPTIONAL(attempts);
}

void describe(auto&& archive, Of<TakenClass> auto& value) {
  WARPMARK_MEMBERS(assignment);
  WARPMARK_OPTIONAL(folder);
  WARPMARK_MEMBERS(students, not_understood);
}

std::string to_json(const TakenClass& taken) {
  return model::Writer::json_of(taken).dump(-1, ' ', false, model::Json::error_handler_t::replace);
}

Result<TakenClass> taken_from_json(const std::string& text) {
  return model::read_file_of<TakenClass>(text, "an intake", "Run `warpmark class` again with its inputs.");
}

}  // namespace warpmark::classroom
