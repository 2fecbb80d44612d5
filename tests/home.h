// Finds the files of an assignment of the tool. The program must define WARPMARK_ROOT.
#pragma once

#include <stdexcept>
#include <string>

#include "harness/assignments/home.h"

namespace warpmark {

// Throws std::runtime_error if there is no assignment of that name.
inline AssignmentHome home_of(const std::string& name) {
  auto home = find_assignment(WARPMARK_ROOT, name);
  if (!home) throw std::runtime_error(home.error().message);
  return std::move(*home);
}

}  // namespace warpmark
