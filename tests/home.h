// Finds the files of an assignment of the tool. The program must define WARPMARK_ROOT.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/assignments/home.h"

namespace warpmark {

// Throws std::runtime_error if there is no assignment of that name.
inline AssignmentHome home_of(const std::string& name) {
  auto home = find_assignment(WARPMARK_ROOT, name);
  if (!home) throw std::runtime_error(home.error().message);
  return std::move(*home);
}

// Returns the names of the assignments of the tool, sorted.
inline std::vector<std::string> names_of_assignments() {
  const auto homes = all_assignments(WARPMARK_ROOT);
  if (!homes) throw std::runtime_error(homes.error().message);
  std::vector<std::string> names;
  for (const AssignmentHome& home : *homes) {
    if (home.built_in) names.push_back(home.name);
  }
  return names;
}

// Returns the text of rules with further lines in their table [limits].
inline std::string with_limits(std::string rules, const std::string& lines) {
  const std::string table = "\n[limits]\n";
  const std::size_t at = rules.find(table);
  return at == std::string::npos ? rules + table + lines : rules.insert(at + table.size(), lines);
}

}  // namespace warpmark
