#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/home.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "harness/judge/rules/rubric.h"
#include "reports/wording/text.h"

namespace warpmark::cli {
namespace {

using judge::Check;
using judge::Rubric;
using judge::VersionRule;

double points_of(const VersionRule& version) {
  double points = 0;
  for (const auto& [check, worth] : version.points) points += worth;
  return points;
}

double bonus_of(const VersionRule& version) {
  double bonus = 0;
  for (const auto& [check, worth] : version.bonus) bonus += worth;
  return bonus;
}

double points_of_fast(const VersionRule& version) {
  const auto fast = version.points.find(Check::fast);
  return fast == version.points.end() ? 0 : fast->second;
}

// Returns how many points of a kernel file can only be earned on a GPU, because the simulator cannot decide
// them.
double points_on_a_gpu(const VersionRule& version) {
  if (version.gpu_only) return points_of(version);
  return version.host ? 0 : points_of_fast(version);
}

// Returns one text per requirement of a kernel file: "a GPU", "MPI", "2 GPUs", libraries, ...
std::vector<std::string> needs_of(const VersionRule& version) {
  const std::string gpus = version.gpus > 1 ? fmt::format("{} GPUs", version.gpus) : "a GPU";
  std::vector<std::string> needs;
  if (version.host) needs.emplace_back("g++");
  if (!version.ranks.empty()) needs.emplace_back("MPI");
  if (version.host) {
    if (const double points = points_of_fast(version); points > 0)
      needs.push_back(fmt::format("2 cores for {:g} of them", points));
  } else if (version.gpu_only) {
    needs.push_back(gpus);
  } else if (const double points = points_on_a_gpu(version); points > 0) {
    needs.push_back(fmt::format("{} for {:g} of them", gpus, points));
  }
  for (const std::string& name : version.needs) needs.push_back(name + " to be right");
  needs.insert(needs.end(), version.uses.begin(), version.uses.end());
  for (const std::string& library : version.libraries) needs.push_back(library + " of the CUDA toolkit");
  return needs;
}

std::string kind_of(const VersionRule& version) {
  if (version.reference_only) return "of the reference";
  return version.given ? "given" : "to write";
}

struct Sums {
  std::size_t to_write = 0;
  std::size_t given = 0;
  double points = 0;
  double on_a_gpu = 0;
  double bonus = 0;
};

Sums sums_of(const Rubric& rubric) {
  Sums sums;
  for (const VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    ++(version.given ? sums.given : sums.to_write);
    sums.points += points_of(version);
    sums.on_a_gpu += points_on_a_gpu(version);
    sums.bonus += bonus_of(version);
  }
  if (!rubric.upload.empty()) sums.points += rubric.upload_once.points;
  return sums;
}

// Returns all libraries that the kernel files of the assignment use, without duplicates.
std::string libraries_of(const Rubric& rubric) {
  std::vector<std::string> names;
  for (const VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    if (!version.ranks.empty()) names.emplace_back("MPI");
    names.insert(names.end(), version.uses.begin(), version.uses.end());
    names.insert(names.end(), version.libraries.begin(), version.libraries.end());
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string to_text(const std::vector<Rubric>& rubrics) {
  std::string text = fmt::format("{:<12} {:>8} {:>6} {:>7} {:>13}  {}\n", "assignment", "to write", "given",
                                 "points", "need a GPU", "title, libraries");
  for (const Rubric& rubric : rubrics) {
    const Sums sums = sums_of(rubric);
    const std::string libraries = libraries_of(rubric);
    text += fmt::format("{:<12} {:>8} {:>6} {:>7g} {:>13g}  {}{}\n", rubric.assignment, sums.to_write,
                        sums.given, sums.points, sums.on_a_gpu, visible_line(rubric.title),
                        libraries.empty() ? "" : " (" + libraries + ")");
    if (!rubric.home.built_in)
      text += fmt::format("{:<12} from {}\n", "", visible_line(rubric.home.folder.string()));
  }
  return text;
}

// Describes the bonus points of an assignment, such as ", and 5 bonus points", and those of its contest;
// empty if it has neither.
std::string bonus_text(const Rubric& rubric, double bonus) {
  std::string text = bonus > 0 ? fmt::format(", and {:g} bonus points", bonus) : "";
  if (rubric.contest)
    text += fmt::format(", and up to {:g} in a contest for each of {}", rubric.contest->steps.back().points,
                        fmt::join(rubric.contest->versions, ", "));
  return text;
}

std::string to_text(const Rubric& rubric) {
  const Sums sums = sums_of(rubric);
  std::string text = fmt::format(
      "{}: {}\n{:g} points, {:g} of them need a GPU{}. {}\n\n"
      "{:<28} {:<16} {:>6}  {:<34} {}\n",
      rubric.assignment, visible_line(rubric.title), sums.points, sums.on_a_gpu,
      bonus_text(rubric, sums.bonus),
      rubric.program ? fmt::format("Submissions are programs, run on the cases {}.", rubric.program->names())
                     : fmt::format("Contract: {}. Types: {}.", visible_line(rubric.contract),
                                   fmt::join(rubric.types, ", ")),
      "version", "", "points", "checks", "needs");
  for (const VersionRule& version : rubric.versions) {
    std::vector<std::string_view> checks;
    for (const Check check : version.checks) checks.push_back(name_of(check));
    const double bonus = bonus_of(version);
    const std::string points =
        fmt::format("{:g}{}", points_of(version), bonus > 0 ? fmt::format("+{:g}", bonus) : "");
    std::string line =
        fmt::format("{:<28} {:<16} {:>6}  {:<34} {}", version.name, kind_of(version), points,
                    fmt::format("{}", fmt::join(checks, " ")), fmt::join(needs_of(version), ", "));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  if (!rubric.upload.empty())
    text += fmt::format("{:<28} {:<16} {:>6g}  {}\n", rubric.upload, "to write", rubric.upload_once.points,
                        name_of(Check::upload_once));
  return text;
}

int list(const judge::Installation& installation, const std::string& name) {
  std::vector<AssignmentHome> homes;
  if (name.empty()) {
    auto all = all_assignments(installation.root);
    if (!all) return unusable("assignments", all.error().message);
    homes = std::move(*all);
  } else {
    auto one = find_assignment(installation.root, name);
    if (!one) return unusable("assignments", one.error().message);
    homes = {std::move(*one)};
  }
  std::vector<Rubric> rubrics;
  for (const AssignmentHome& home : homes) {
    auto rubric = judge::read_rubric(home);
    if (!rubric) return unusable("assignments", rubric.error().message);
    rubrics.push_back(std::move(*rubric));
  }
  fmt::print("{}", name.empty() ? to_text(rubrics) : to_text(rubrics.front()));
  return 0;
}

}  // namespace

Action add_assignments_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "assignments", "List the assignments, or the versions of one: points, checks, requirements");
  command->add_option("NAME", *name, "Every version of this assignment");
  command->footer("Exit status: 0 listed; 2 there is no such assignment, or its rubric is wrong.");
  return [name, installation] { return list(installation, *name); };
}

}  // namespace warpmark::cli
