// An assignment in the plain form: inputs drawn from classes of data, answers computed by the course's
// function `expected`, outputs compared element by element.
#pragma once

#include <memory>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/oracle.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

std::unique_ptr<Assignment> make_assignment(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle);

}  // namespace warpmark::plain
