// JSON descriptions shared by class.json and the class's journal: see json.h.
#pragma once

#include <array>

#include "harness/model/class_result.h"
#include "harness/model/json.h"

namespace warpmark {

template <>
struct model::Choices<StudentState> {
  static constexpr std::array all{StudentState::graded, StudentState::waiting, StudentState::missing,
                                  StudentState::unusable, StudentState::broken};
  static constexpr std::string_view expected =
      "\"graded\", \"waiting\", \"missing\", \"unusable\" or \"broken\"";
};

void describe(auto& archive, model::Of<StudentCause> auto& cause) {
  archive("kind", cause.kind);
  archive("message", cause.message);
}

void describe(auto& archive, model::Of<Person> auto& person) {
  archive.unless_empty("key", person.key);
  archive.unless_empty("email", person.email);
  archive.unless_empty("login", person.login);
  archive.unless_empty("sid", person.sid);
}

void describe(auto& archive, model::Of<Correction> auto& correction) {
  archive("points", correction.points);
  archive.unless_empty("relative", correction.relative);
  archive("comment", correction.comment);
  archive("by", correction.by);
  archive("when", correction.when);
}

void describe(auto& archive, model::Of<NotUnderstood> auto& entry) {
  archive("where", entry.where);
  archive("why", entry.why);
}

}  // namespace warpmark
