// Reads what the checks of a rubric are worth: points, steps, weights, bonus points, groups of input sizes,
// required other versions, and a class's contest. Every function throws Broken at the first violated rule.
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
  bool program = false;  // true: submissions are programs; false: functions
};

// Settings in a rubric's tables before [[version]], which apply to all versions.
struct Defaults {
  std::map<std::string, double> points;  // table [points]: default points per check name
  Given given;
};

// Reads the points per check: the version's own, or those of [points].
void read_points(TomlTable& table, VersionRule& version, const Defaults& defaults);

// Reads the speeds that `fast` requires: one number, or a list and its `steps`, and those of a bonus table.
void read_speeds(TomlTable& table, VersionRule& version, const Given& given);

// Reads and applies a version's keys `weight` and `bonus = true`, after all other points are read, because
// they change those. Computes the points of the groups of input sizes from the result.
void apply_weight(TomlTable& table, VersionRule& version, const Defaults& defaults,
                  const std::vector<SizeGroup>& groups);

// Reads a rubric's [[correct.group]] tables. `sizes` are the input sizes of the check `correct`, each of
// which consists of `parts` numbers.
std::vector<SizeGroup> read_groups(TomlTable& correct, const std::vector<Size>& sizes, std::size_t parts,
                                   const Defaults& defaults);

// Checks the key `needs` of all versions: it must name other versions, which must have the check `correct`,
// without a cycle.
void check_needs(TomlTable& top, const Rubric& rubric);

Contest read_contest(TomlTable& table, const Rubric& rubric);

}  // namespace warpmark::judge
