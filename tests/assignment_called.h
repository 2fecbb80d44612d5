// Makes the assignments of the tool as the judge does: their course's functions run in a worker of their own.
// The program is given the places by warpmark_may_make_assignments() of tests/CMakeLists.txt.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "harness/judge/intake/opening.h"
#include "harness/judge/rules/rubric.h"
#include "tests/home.h"

namespace warpmark {

// Returns the same assignment for the same name, so that its functions are built and loaded once. Throws
// std::runtime_error if there is none of that name, or its rules are broken.
inline std::shared_ptr<const Assignment> assignment_called(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Assignment>> made;
  const std::scoped_lock lock(mutex);
  auto& found = made[name];
  if (found != nullptr) return found;
  const auto rubric = judge::read_rubric(home_of(name));
  if (!rubric) throw std::runtime_error(rubric.error().message);
  auto assignment =
      judge::make_assignment(*rubric, {WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB}, WARPMARK_CACHE);
  if (!assignment) throw std::runtime_error(assignment.error().message);
  found = std::move(*assignment);
  return found;
}

}  // namespace warpmark
