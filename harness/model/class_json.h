// JSON descriptions (see json.h) of types that both class.json and the class's journal, a database, store.
#pragma once

#include "harness/model/class_result.h"
#include "harness/model/json.h"

namespace warpmark {

WARPMARK_DESCRIBE(StudentCause, kind, message)

void describe(auto& archive, Of<Person> auto& value) {
  WARPMARK_OPTIONAL(key, email, login, sid);
}

void describe(auto& archive, Of<Correction> auto& value) {
  WARPMARK_MEMBERS(points);
  WARPMARK_OPTIONAL(relative);
  WARPMARK_MEMBERS(comment, by, when);
}

WARPMARK_DESCRIBE(NotUnderstood, where, why)

}  // namespace warpmark
