// Reads what the checks of a rubric are worth: points, steps, weights, bonus points, groups of sizes, the
// versions that others need, and the contest of a class. Every function throws Broken at the first violated
// rule.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Optional tables of the rubric that are present; some checks require one of them.
struct Given {
  bool clean = false;
  bool work = false;
  bool fast = false;
  bool host_fast = false;
  bool program = false;  // the versions are programs
};

// What the tables before [[version]] say for all versions.
struct Defaults {
  std::map<std::string, double> points;  // the table [points], by name of check
  Given given;
};

// Reads the points per check: the version's own, or those of [points].
void read_points(TomlTable& table, VersionRule& version, const Defaults& defaults);

// Reads the speeds that `fast` requires: one number, or a list and its `steps`, and those of a bonus table.
void read_speeds(TomlTable& table, VersionRule& version, const Given& given);

// Reads weight and bonus = true, once all other points are read, and applies them; derives the points of the
// groups of sizes.
void apply_weight(TomlTable& table, VersionRule& version, const Defaults& defaults,
                  const std::vector<SizeGroup>& groups);

// Reads [[correct.group]]. `sizes` are those of `correct`, each of `parts` numbers.
std::vector<SizeGroup> read_groups(TomlTable& correct, const std::vector<Size>& sizes, std::size_t parts,
                                   const Defaults& defaults);

// Checks the member `needs` of all versions: each names other versions that can be right, without a circle.
void check_needs(TomlTable& top, const Rubric& rubric);

Contest read_contest(TomlTable& table, const Rubric& rubric);

}  // namespace warpmark::judge
