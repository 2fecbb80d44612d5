#include "harness/assignment_check/programs.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;

// Returns the names of an assignment's test cases for which `holds` is true.
template <class Holds>
std::vector<std::string> cases_where(const program::Spec& spec, const Holds& holds) {
  std::vector<std::string> names;
  for (const program::Case& one : spec.cases) {
    if (holds(one)) names.push_back(one.name);
  }
  return names;
}

}  // namespace

std::vector<AssignmentFinding> missing_files_of_cases(const judge::Rubric& rubric) {
  std::vector<AssignmentFinding> findings;
  for (const fs::path& file : rubric.program->files()) {
    std::error_code error;
    if (fs::is_regular_file(rubric.home.folder / file, error)) continue;
    findings.push_back({Standing::open, "a [[case]] or [compare] names this file, and it is missing",
                        (rubric.home.folder / file).string(), 0, ""});
  }
  return findings;
}

std::vector<AssignmentFinding> gaps_of_cases(const judge::Rubric& rubric) {
  const program::Spec& spec = *rubric.program;
  const std::string rules = rubric.home.rules().string();
  std::vector<AssignmentFinding> gaps;
  const auto remark = [&](std::string message) {
    gaps.push_back({Standing::remark, std::move(message), rules, 0, ""});
  };
  const auto by_reference = cases_where(spec, [](const program::Case& one) {
    return std::ranges::any_of(one.outputs,
                               [](const program::Output& output) { return output.expected.empty(); });
  });
  if (by_reference.size() == spec.cases.size())
    remark(
        "every right output is what the reference puts out, so that a mistake of the reference is not "
        "noticed; "
        "give one case an expected file that was made in another way");
  if (std::ranges::none_of(spec.cases, &program::Case::secret))
    remark("no case is secret, so that a program may print what it was told; add secret = true to a case");
  const auto without = cases_where(spec, [](const program::Case& one) { return one.kernels == 0; });
  if (without.size() == spec.cases.size())
    remark(
        "no case asks for a kernel, so that a program that computes on the CPU gets all points; see "
        "[require]");
  return gaps;
}

}  // namespace warpmark::assignment_check
