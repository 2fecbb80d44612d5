#include "harness/class/journal/taken.h"

#include "harness/model/class_json.h"

namespace warpmark::classroom {

void describe(auto& archive, model::Of<Taken> auto& taken) {
  archive("id", taken.id);
  archive("name", taken.person.name);
  archive("person", taken.person);
  archive("source", taken.source);
  archive("submitted", taken.submitted);
  archive("late", taken.lateness.late);
  archive("days", taken.lateness.days);
  archive("content", taken.content);
  archive("remarks", taken.remarks);
  archive("fault", taken.fault);
  archive("doubt", taken.doubt);
}

void describe(auto&& archive, model::Of<TakenClass> auto& taken) {
  archive("assignment", taken.assignment);
  archive("students", taken.students);
  archive("not_understood", taken.not_understood);
}

std::string to_json(const TakenClass& taken) {
  return model::Writer::json_of(taken).dump(-1, ' ', false, model::Json::error_handler_t::replace);
}

Result<TakenClass> taken_from_json(const std::string& text) {
  return model::read_file_of<TakenClass>(text, "an intake", "Run `warpmark class` again with its inputs.");
}

}  // namespace warpmark::classroom
