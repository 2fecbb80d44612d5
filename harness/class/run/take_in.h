// Collects a class's submissions from the instructor's inputs into `<out>/submissions/<id>`.
#pragma once

#include "harness/base/error.h"
#include "harness/class/intake/intake.h"
#include "harness/class/journal/journal.h"
#include "harness/class/roster/roster.h"
#include "harness/class/run/options.h"

namespace warpmark::classroom {

// Returns the assignment and its submissions. Fails if an input, the roster or the due date is unusable, or
// the assignment cannot be determined. A problem with a single submission is recorded as that submission's
// fault.
Result<TakenClass> take_in_class(const ClassOptions& options, const std::vector<KnownAssignment>& known,
                                 Journal& journal);

// The student who handed in a submission, found by matching with the roster. `doubt` says what remains
// ambiguous. identify() marks the matched roster entry in `seen`.
struct Identified {
  Person person;
  std::optional<double> late_days;
  std::uint64_t attempts = 0;  // as in the roster; 0: not given
  std::string doubt;
};
Identified identify(const Person& person, const std::vector<RosterEntry>& roster, std::vector<bool>& seen);

}  // namespace warpmark::classroom
