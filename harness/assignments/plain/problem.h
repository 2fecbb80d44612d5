// One case of an assignment in the plain form: its inputs, the expected answer, and answers to inputs that
// change between timed calls.
#pragma once

#include <memory>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/oracle.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Creates the problem for a test case of an assignment described by assignment.toml. Throws AssignmentFault
// if a buffer's size or a bound cannot be computed.
std::unique_ptr<Problem> make_problem(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle,
                                      const Case& which);

}  // namespace warpmark::plain
