#include "harness/judge/rules/points_reader.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::judge {
namespace {

constexpr double kTiny = 1e-9;  // tolerance for rounding errors in sums of points

// Rejects a rubric's list of numbers unless it is strictly ascending and above 0. `what` names the list in
// the error message.
void need_ascending(const TomlTable& table, const toml::node& node, const std::vector<double>& values,
                    const std::string& what) {
  double before = 0;
  for (const double value : values) {
    if (value <= before)
      table.refuse(node,
                   fmt::format("{} must be above 0 and ascend; {:g} follows {:g}", what, value, before));
    before = value;
  }
}

// Reads steps of points for speed from a rubric's table: the list `name` of required speeds and the list
// `steps` of points, of equal length. Points in the list are totals: a speed earns the points of the highest
// step that it reaches.
std::vector<SpeedStep> read_steps(TomlTable& table, const std::string& name, const std::string& version,
                                  bool bonus) {
  const toml::node& speeds_at = table.need(name);
  const std::vector<double> speeds = table.numbers(name);
  const std::vector<double> points = table.numbers("steps");
  if (speeds.size() != points.size() || speeds.empty())
    table.refuse(table.need("steps"),
                 fmt::format("{}: {} has {} and steps {}; give the points reached with each speed", version,
                             name, speeds.size(), points.size()));
  need_ascending(table, speeds_at, speeds, fmt::format("{}: {}", version, name));
  need_ascending(table, table.need("steps"), points, fmt::format("{}: steps", version));
  std::vector<SpeedStep> steps;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    steps.push_back({speeds[i], points[i] - (i == 0 ? 0 : points[i - 1]), bonus});
  return steps;
}

// Returns the rubric's key for the speeds required of a kernel file, and sets their unit: "efficiency" for
// plain C++; for CUDA "speedup" (over the naive kernel) or "of_reference".
std::string name_of_speeds(TomlTable& table, VersionRule& version) {
  if (version.host) {
    version.speed_unit = SpeedUnit::core;
    return "efficiency";
  }
  const toml::node* reference = table.find("of_reference");
  if (reference == nullptr) return "speedup";
  if (table.find("speedup") != nullptr)
    table.refuse(*reference, fmt::format("{}: give one of speedup and of_reference", version.name));
  if (!version.ranks.empty())
    table.refuse(*reference, fmt::format("{}: of_reference is for versions without ranks; give speedup, over "
                                         "the naive version",
                                         version.name));
  version.speed_unit = SpeedUnit::reference;
  return "of_reference";
}

// Reads a rubric's entry such as bonus = {speedup = [8], steps = [2]}: bonus points for speeds beyond those
// that the check `fast` requires.
void read_bonus_steps(TomlTable& table, VersionRule& version, const std::string& speeds) {
  const toml::node* node = table.find("bonus");
  if (node == nullptr || !node->is_table()) return;
  TomlTable inner = *table.table("bonus");
  const auto beyond = read_steps(inner, speeds, version.name, true);
  inner.finish();
  if (beyond.front().at_least <= version.steps.back().at_least)
    table.refuse(*node, fmt::format("{}: bonus.{} must be above {:g}, the last speed that `fast` requires",
                                    version.name, speeds, version.steps.back().at_least));
  for (const SpeedStep& step : beyond) version.bonus[Check::fast] += step.points;
  version.steps.insert(version.steps.end(), beyond.begin(), beyond.end());
}

void check_speeds(TomlTable& table, const VersionRule& version, const std::string& name) {
  for (const SpeedStep& step : version.steps) {
    if (!(step.at_least > 0))
      table.refuse(table.need(name), fmt::format("{}: {} must be above 0", version.name, name));
    if (version.host && step.at_least > 1)
      table.refuse(
          table.need(name),
          fmt::format("{}: efficiency must be above 0 and at most 1: a speedup for each core", version.name));
  }
}

void refuse_steps_without_fast(TomlTable& table, const VersionRule& version) {
  const toml::node* bonus = table.find("bonus");
  if (bonus != nullptr && bonus->is_table())
    table.refuse(*bonus,
                 fmt::format("{}: a bonus for speed needs the check \"fast\"; add it, or write bonus = "
                             "true for all points of the version",
                             version.name));
  if (const toml::node* steps = table.find("steps"))
    table.refuse(*steps, fmt::format("{}: steps are points of the check \"fast\"; add it to checks, with "
                                     "speedup or of_reference, or remove steps",
                                     version.name));
}

// Returns a cycle of kernel files in which each file earns points only if the next one passes `correct`. The
// cycle begins and ends with the file `start`; empty if there is none.
std::vector<std::string> circle_from(const std::string& start, const Rubric& rubric) {
  std::vector<std::string> path;
  std::set<std::string> seen;
  const std::function<bool(const std::string&)> reaches = [&](const std::string& name) {
    path.push_back(name);
    const VersionRule* version = rubric.find(name);
    for (const std::string& needed : version == nullptr ? std::vector<std::string>() : version->needs) {
      if (needed == start) {
        path.push_back(start);
        return true;
      }
      if (seen.insert(needed).second && reaches(needed)) return true;
    }
    path.pop_back();
    return false;
  };
  if (!reaches(start)) path.clear();
  return path;
}

// Rejects a group of input sizes that has a size which the check `correct` does not run, or which an earlier
// group has.
void check_group_sizes(const TomlTable& table, const toml::node& node, const SizeGroup& group,
                       const std::vector<Size>& sizes, const std::vector<SizeGroup>& before) {
  const auto has = [](const std::vector<Size>& all, const Size& size) {
    return std::ranges::find(all, size) != all.end();
  };
  for (const Size& size : group.sizes) {
    if (!has(sizes, size))
      table.refuse(node,
                   fmt::format("the group {} has the size {}, which is none of correct.sizes; add it there",
                               group.name, to_text(size)));
    for (const SizeGroup& other : before) {
      if (has(other.sizes, size))
        table.refuse(node, fmt::format("the size {} is in the groups {} and {}; leave it in one",
                                       to_text(size), other.name, group.name));
    }
  }
}

SizeGroup read_group(TomlTable table, const std::vector<Size>& sizes, std::size_t parts,
                     const std::vector<SizeGroup>& before) {
  SizeGroup group;
  group.name = table.text("name");
  group.sizes = plain::read_sizes(table, "sizes", parts);
  group.points = table.number("points");
  table.finish();
  if (group.sizes.empty()) table.refuse(fmt::format("the group {} must name at least one size", group.name));
  if (std::ranges::find(before, group.name, &SizeGroup::name) != before.end())
    table.refuse(fmt::format("there are two groups {}; give each its own name", group.name));
  check_group_sizes(table, table.need("sizes"), group, sizes, before);
  return group;
}

}  // namespace

void read_points(TomlTable& table, VersionRule& version, const Defaults& defaults) {
  const std::map<std::string, double> none;
  auto own_table = table.table("points");
  const auto own = own_table ? own_table->points(check_names()) : none;
  const bool in_steps = table.find("steps") != nullptr;
  for (const Check check : version.checks) {
    const std::string name(name_of(check));
    if (own.contains(name)) {
      version.points[check] = own.at(name);
    } else if (defaults.points.contains(name)) {
      // Checks of a file that only the course's solution has are worth no points by default: students do not
      // write it.
      version.points[check] = version.reference_only ? 0 : defaults.points.at(name);
    } else if (check != Check::fast || !in_steps) {
      if (defaults.points_are_known)
        table.refuse(fmt::format("{}: no points for the check \"{}\"", version.name, name));
      version.points[check] = 0;
    }
  }
  if (in_steps && own.contains("fast"))
    table.refuse(table.need("steps"),
                 fmt::format("{}: steps gives the points of `fast`; remove points.fast of "
                             "this version",
                             version.name));
}

void read_speeds(TomlTable& table, VersionRule& version, const Given& given) {
  if (!version.has(Check::fast)) return refuse_steps_without_fast(table, version);
  const std::string name = name_of_speeds(table, version);
  if (version.host && !given.host_fast)
    table.refuse(
        fmt::format("{}: the check \"fast\" of a host version needs a [host] table with naive, type "
                    "and size",
                    version.name));
  if (given.program && !given.fast)
    table.refuse(
        fmt::format("{}: the check \"fast\" needs a [fast] table with the case that is timed: "
                    "case = \"...\"",
                    version.name));
  if (given.program && !given.naive && version.speed_unit == SpeedUnit::naive)
    table.refuse(
        fmt::format("{}: speedup is over a naive program; name one of the versions at the top, naive "
                    "= \"...\", or give of_reference: over the course's own program",
                    version.name));
  if (!version.host && !given.fast)
    table.refuse(
        fmt::format("{}: the check \"fast\" needs a [fast] table and a naive version", version.name));
  if (const toml::node* steps = table.find("steps")) {
    if (table.find(name) == nullptr)
      table.refuse(*steps, fmt::format("{}: steps are points for the speeds of {}, which is missing; add it",
                                       version.name, version.host ? name : "speedup or of_reference"));
    version.steps = read_steps(table, name, version.name, false);
    double points = 0;
    for (const SpeedStep& step : version.steps) points += step.points;
    version.points[Check::fast] = points;
  } else {
    const std::vector<double> speeds = table.numbers(name);
    if (speeds.size() != 1)
      table.refuse(table.need(name), fmt::format("{}: {} has {} speeds; give the points reached with each: "
                                                 "steps = [...]",
                                                 version.name, name, speeds.size()));
    version.steps = {{speeds.front(), version.points.at(Check::fast), false}};
  }
  check_speeds(table, version, name);
  read_bonus_steps(table, version, name);
}

void apply_weight(TomlTable& table, VersionRule& version, const Defaults& defaults,
                  const std::vector<SizeGroup>& groups) {
  if (table.find("weight") != nullptr) {
    const double weight = table.number("weight");
    if (!(weight > 0))
      table.refuse(table.need("weight"),
                   fmt::format("{}: weight must be above 0: it multiplies all points of "
                               "the version",
                               version.name));
    for (auto& [check, points] : version.points) points *= weight;
    for (auto& [check, points] : version.bonus) points *= weight;
    for (SpeedStep& step : version.steps) step.points *= weight;
  }
  if (version.has(Check::correct)) {
    for (const SizeGroup& group : groups)
      version.group_points.push_back(group.points / defaults.points.at("correct") *
                                     version.points.at(Check::correct));
  }
  const toml::node* bonus = table.find("bonus");
  if (bonus == nullptr || bonus->is_table()) return;
  version.is_bonus = table.flag_or("bonus", false);
  if (!version.is_bonus) return;
  for (auto& [check, points] : version.points) {
    if (points > 0) version.bonus[check] += points;
    points = 0;
  }
}

std::vector<SizeGroup> read_groups(TomlTable& correct, const std::vector<Size>& sizes, std::size_t parts,
                                   const Defaults& defaults) {
  std::vector<SizeGroup> groups;
  const toml::node* node = correct.find("group");
  if (node == nullptr) return groups;
  double sum = 0;
  for (const toml::node& entry : correct.list("group")) {
    if (!entry.is_table()) correct.refuse(entry, "each [[correct.group]] must be a table");
    groups.push_back(
        read_group(TomlTable(*entry.as_table(), "correct.group", correct.file()), sizes, parts, groups));
    sum += groups.back().points;
  }
  if (!defaults.points_are_known) return {};
  const auto whole = defaults.points.find("correct");
  if (whole == defaults.points.end() || whole->second <= 0)
    correct.refuse(*node, "groups of sizes share the points of `correct`; add correct to [points]");
  if (sum > whole->second + kTiny)
    correct.refuse(*node, fmt::format("the groups have {:g} points, and `correct` {:g}; they share these",
                                      sum, whole->second));
  return groups;
}

void check_needs(TomlTable& top, const Rubric& rubric) {
  if (top.find("version") == nullptr) return;
  for (const toml::node& entry : top.list("version")) {
    if (!entry.is_table()) continue;
    TomlTable table(*entry.as_table(), "version", top.file());
    const toml::node* node = table.find("needs");
    const VersionRule* version = rubric.find(table.text_or("name", "-"));
    if (node == nullptr || version == nullptr) continue;
    for (const std::string& name : version->needs) {
      const VersionRule* needed = rubric.find(name);
      if (needed == nullptr)
        table.refuse(*node,
                     fmt::format("{}: needs names \"{}\", which is no [[version]]", version->name, name));
      if (!needed->has(Check::correct))
        table.refuse(*node, fmt::format("{}: needs names {}, which has no check \"correct\" and so is never "
                                        "right; add the check there",
                                        version->name, name));
    }
    if (const auto circle = circle_from(version->name, rubric); !circle.empty())
      table.refuse(*node, fmt::format("needs goes round in a circle: {}; remove one of them",
                                      fmt::join(circle, " needs ")));
  }
}

Contest read_contest(TomlTable& table, const Rubric& rubric) {
  Contest contest;
  const std::vector<double> within = table.numbers("within");
  const std::vector<double> points = table.numbers("points");
  if (within.size() != points.size() || within.empty())
    table.refuse(table.need("points"),
                 fmt::format("contest.within has {} and contest.points {}; give the points "
                             "for each",
                             within.size(), points.size()));
  need_ascending(table, table.need("points"), points, "contest.points");
  for (std::size_t i = 0; i < within.size(); ++i) {
    if (within[i] < 1 || (i > 0 && within[i] >= within[i - 1]))
      table.refuse(table.need("within"),
                   "contest.within must be at least 1 and descend: at most so many times "
                   "as fast is the fastest submission");
    contest.steps.push_back({within[i], points[i]});
  }
  const bool named = table.find("versions") != nullptr;
  if (named) contest.versions = table.texts("versions");
  for (const std::string& name : contest.versions) {
    const VersionRule* version = rubric.find(name);
    if (version == nullptr || !version->has(Check::fast))
      table.refuse(table.need("versions"),
                   fmt::format("contest.versions names {}, which is no version with the "
                               "check \"fast\"",
                               name));
  }
  for (const VersionRule& version : rubric.versions) {
    if (!named && version.has(Check::fast) && !version.reference_only)
      contest.versions.push_back(version.name);
  }
  if (contest.versions.empty()) table.refuse("[contest] needs a version with the check \"fast\"");
  table.finish();
  return contest;
}

}  // namespace warpmark::judge
