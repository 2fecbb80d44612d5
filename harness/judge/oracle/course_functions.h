// Builds an assignment's own functions (expected.cpp, data.cpp) and calls them in a worker process of their
// own, in the sandbox that submissions run in.
#pragma once

#include <chrono>
#include <memory>

#include "harness/assignments/plain/oracle.h"
#include "harness/assignments/plain/spec.h"
#include "harness/judge/oracle/course_build.h"

namespace warpmark::judge {

// Time in which a function of the course must return.
inline constexpr std::chrono::seconds kOracleLimit{30};

// Creates the object that calls an assignment's own functions (expected.cpp, data.cpp). Builds nothing yet:
// each function is built at its first call, for one value type at a time.
std::shared_ptr<plain::Oracle> make_oracle(std::shared_ptr<const plain::Spec> spec, CourseFolder settings);

}  // namespace warpmark::judge
