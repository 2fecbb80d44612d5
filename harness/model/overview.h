// Views of a grade that several reports share: checks as a table and in groups, counts, totals. Pure
// functions; the results point into the grade, which must outlive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Returns true if the check failed because the student has not yet written the function that it checks.
bool is_not_implemented(const CheckResult& check);
// Returns true if the check was not run because an earlier check of the same kernel file failed.
bool waits_for_another(const CheckResult& check);
// Returns true if points that the check would have earned are withheld, because the check that it depends on
// did not pass.
bool is_unearned(const CheckResult& check);

// Table row of one submitted kernel file: one check result per column; nullptr if the rubric does not have
// that check.
struct TableRow {
  std::string version;
  std::vector<const CheckResult*> cells;
  double points = 0;
  double possible = 0;
  double bonus = 0;           // earned bonus points, on top of the maximum
  double bonus_possible = 0;  // bonus points that the rubric offers
};

// Table of check results. Rows and columns appear in the order of the grade's checks, which is the rubric's
// order.
struct Table {
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
  std::vector<const CheckResult*> whole_submission;
};
Table table_of(const Grade& grade);

// Checks that were not decided for the same reason.
struct NotDecided {
  std::string check;
  std::optional<CauseKind> kind;
  // Reason why a group of checks was not decided, as the judge process gave it; may be empty.
  std::string message;
  // Undecided checks that share one reason; at least one.
  std::vector<const CheckResult*> checks;
};

struct Groups {
  // Failed checks, except those of kernels that the student has not started.
  std::vector<const CheckResult*> failed;
  std::vector<const CheckResult*> broken;    // checks that failed by a fault of Warpmark
  std::vector<std::string> not_implemented;  // names of kernel files that the student has not started
  std::vector<NotDecided> not_decided;  // undecided checks, except those that only wait for an earlier check
  std::vector<const CheckResult*> unearned;
  std::vector<const CheckResult*> noted;  // checks with notes, except the note about unearned points
};
Groups groups_of(const Grade& grade);

// Returns a check's notes, except the one that says why its points are unearned.
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

// Returns the bytes that a submission copied from host to GPU, without the copies by which the grader itself
// tests the submission.
std::uint64_t uploaded_bytes(const Grade& grade);

}  // namespace warpmark
