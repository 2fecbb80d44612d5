// Reads what the checks of a rubric are worth: points, steps, weights, bonus points, groups of input sizes,
// kernel files that must be right before others earn points, and a class's contest. Every function throws
// Broken at the first violated rule.
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
  bool naive = false;    // programs: the rubric names a naive one
};

// A rubric's settings outside of its [[version]] tables (one per kernel file), which apply to all kernel
// files.
struct Defaults {
  std::map<std::string, double> points;  // table [points]: default points per check name
  // False while [points] has a mistake of its own: what is missing in it is then no further mistake.
  bool points_are_known = false;
  Given given;
  WorkLimits work_limits = WorkLimits::required;
};

// Reads a kernel file's points per check from its own [[version]] table, or else from the rubric's table
// [points].
void read_points(TomlTable& table, VersionRule& version, const Defaults& defaults);

// Reads the speeds that the check `fast` requires of a kernel file: one number, or a list with `steps` of
// points, and those of a bonus table.
void read_speeds(TomlTable& table, VersionRule& version, const Given& given);

// Reads and applies the keys `weight` and `bonus = true` of a kernel file's rubric table. Call it after all
// other points are read, because these keys change them. Computes the points of the groups of input sizes
// from the result.
void apply_weight(TomlTable& table, VersionRule& version, const Defaults& defaults,
                  const std::vector<SizeGroup>& groups);

// Reads a rubric's [[correct.group]] tables. `sizes` are the input sizes of the check `correct`, each of
// which consists of `parts` numbers.
std::vector<SizeGroup> read_groups(TomlTable& correct, const std::vector<Size>& sizes, std::size_t parts,
                                   const Defaults& defaults);

// Checks the rubric's key `needs`, which makes a kernel file's points depend on other kernel files: these
// must exist and have the check `correct`, and the dependencies must be free of cycles.
void check_needs(TomlTable& top, const Rubric& rubric);

Contest read_contest(TomlTable& table, const Rubric& rubric);

}  // namespace warpmark::judge
