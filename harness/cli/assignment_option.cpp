#include "harness/cli/assignment_option.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/assignment.h"

namespace warpmark::cli {
namespace {

constexpr const char* kUsual = "reduction";

}  // namespace

std::string known_assignments() {
  std::vector<std::string_view> names;
  for (const AssignmentEntry& entry : assignments()) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<std::string> known_assignment(const std::string& name) {
  if (std::ranges::any_of(assignments(), [&](const AssignmentEntry& entry) { return entry.name == name; }))
    return name;
  return fail(fmt::format("no assignment is called {}; there are: {}", name, known_assignments()));
}

Result<std::string> chosen_assignment(const AssignmentOption& option) {
  if (!option.assignment.empty()) return known_assignment(option.assignment);
  auto taken = known_assignment(kUsual);
  if (taken) fmt::print("using {}; --assignment NAME selects another: {}\n", kUsual, known_assignments());
  return taken;
}

void add_assignment_options(CLI::App& command, AssignmentOption& option) {
  command.add_option("--assignment", option.assignment,
                     fmt::format("Which assignment (default: {}): {}", kUsual, known_assignments()));
  command.add_option("--rubric", option.rubric, "Use this rubric instead of the assignment's")
      ->check(CLI::ExistingFile);
}

}  // namespace warpmark::cli
