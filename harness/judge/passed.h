// Help after a version has passed: what comes next, and the work of the course's solutions beside its own.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/rules/rubric.h"
#include "harness/model/reference_work.h"

namespace warpmark::judge {

struct RecordedWork {
  ReferenceWork work;              // without versions whose record is stale
  bool missing = false;            // true: the assignment has no record
  std::vector<std::string> stale;  // versions whose solution or rule has changed since, or is not recorded
};

// Reads the recorded work of an assignment's solutions. A missing or stale record is no error: its figures
// are left out. Where there are no solutions, as in a handout, the record is believed. Fails on a file that
// cannot be read as such a record; the error names the file and the remedy.
Result<RecordedWork> recorded_work(const Rubric& rubric);

// Fills in Grade::passed, in the rubric's order. If the record cannot be read, adds a remark instead of its
// figures.
void add_passed(Grade& grade, const Rubric& rubric);

}  // namespace warpmark::judge
