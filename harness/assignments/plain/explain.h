// Why an output is wrong, for any assignment in the plain form: experiments show what the output is made of,
// and a table of patterns recognises usual mistakes.
#pragma once

#include <memory>
#include <optional>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/oracle.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// `assignment` is the one that spec and oracle describe. Returns nullopt if no pattern is recognised.
std::optional<Explanation> explain_outputs(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle,
                                           const Assignment& assignment, const Case& which,
                                           Experiment& experiment);

}  // namespace warpmark::plain
