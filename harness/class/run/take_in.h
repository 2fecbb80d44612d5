// From the instructor's inputs to a class whose submissions lie in `<out>/submissions/<id>`.
#pragma once

#include "harness/base/error.h"
#include "harness/class/intake/intake.h"
#include "harness/class/journal/journal.h"
#include "harness/class/roster/roster.h"
#include "harness/class/run/options.h"

namespace warpmark::classroom {

// Fails when an input, the roster or the date cannot be used, or the assignment cannot be told. What cannot
// be understood of a single submission is a fault of that submission's.
Result<TakenClass> take_in_class(const ClassOptions& options, const std::vector<KnownAssignment>& known,
                                 Journal& journal);

// Whom a delivery is from, by the roster; what is left open is said in `doubt`. Marks the entry in `seen`.
struct Identified {
  Person person;
  std::optional<double> late_days;
  std::string doubt;
};
Identified identify(const Person& person, const std::vector<RosterEntry>& roster, std::vector<bool>& seen);

}  // namespace warpmark::classroom
