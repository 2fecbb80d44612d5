#include "harness/cli/assignment_option.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/home.h"

namespace warpmark::cli {
std::string known_assignments(const std::filesystem::path& root) {
  std::vector<std::string> names;
  for (const AssignmentHome& home : all_assignments(root).value_or(std::vector<AssignmentHome>{}))
    names.push_back(home.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<std::string> chosen_assignment(const AssignmentOption& option, const std::filesystem::path& root) {
  if (!option.assignment.empty()) {
    const auto known = find_assignment(root, option.assignment);
    if (!known) return tl::unexpected(known.error());
    return option.assignment;
  }
  const std::string usual = default_assignment(root);
  fmt::print("using {}; --assignment NAME selects another: {}\n", usual, known_assignments(root));
  return usual;
}

void add_assignment_options(CLI::App& command, AssignmentOption& option, const std::filesystem::path& root) {
  command.add_option("--assignment", option.assignment,
                     fmt::format("Name or folder of the assignment (default: {}): {}",
                                 default_assignment(root), known_assignments(root)));
  command.add_option("--rubric", option.rubric, "Use this rubric instead of the assignment's")
      ->check(CLI::ExistingFile);
}

}  // namespace warpmark::cli
