// What a reader of a grade asks for and no single member says: its checks as a table and in groups, how many
// there are of a sort, bytes in all. Pure functions of the grade; what they return points into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Failed because the student has not begun.
bool is_not_implemented(const CheckResult& check);
// Not run because an earlier check of the same version failed.
bool waits_for_another(const CheckResult& check);
// Passed, and without its points: a check that it earns them with did not pass.
bool is_unearned(const CheckResult& check);

// One version: what it got, a cell a column, null where the rubric does not ask.
struct TableRow {
  std::string version;
  std::vector<const CheckResult*> cells;
  double points = 0;
  double possible = 0;
};

// Rows and columns in order of first appearance, which is the rubric's.
struct Table {
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
  std::vector<const CheckResult*> whole_submission;
};
Table table_of(const Grade& grade);

// Checks that were not decided for one and the same reason.
struct NotDecided {
  std::string check;
  std::optional<CauseKind> kind;
  std::string message;                     // of the judge; may be empty
  std::vector<const CheckResult*> checks;  // at least one
};

struct Groups {
  std::vector<const CheckResult*> failed;    // for any reason but not_implemented
  std::vector<const CheckResult*> broken;    // our fault
  std::vector<std::string> not_implemented;  // versions
  std::vector<NotDecided> not_decided;       // what only waits for an earlier check is in no group
  std::vector<const CheckResult*> unearned;
  std::vector<const CheckResult*> noted;  // with notes other than that they are unearned
};
Groups groups_of(const Grade& grade);

// The notes of a check without the one that says why it is unearned.
std::vector<const Cause*> notes_of(const CheckResult& check);

struct Counts {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t not_implemented = 0;
  std::size_t not_run = 0;
  std::size_t inconclusive = 0;
  std::size_t broken = 0;
};
Counts counts_of(const Grade& grade);

// That crossed to the GPU, without the harness's own.
std::uint64_t uploaded_bytes(const Grade& grade);

}  // namespace warpmark
