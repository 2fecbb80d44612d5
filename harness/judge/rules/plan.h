// Selects the cases that each check runs: pure functions of rubric and seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/engine.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Returns 64 random bits from getrandom(). Throws std::system_error if that fails.
std::uint64_t seed_from_the_system();

// The user's restriction to certain cases, to reproduce a cause; empty members restrict nothing.
struct Focus {
  std::optional<std::uint64_t> seed;  // replaces the seed of every case
  std::optional<std::uint64_t> size;  // the only size
  std::string type;                   // the only type
};

// Returns the rubric's fixed sizes, the secret sizes drawn from the seed, and the misaligned case, for every
// type and data class; smallest first, so that the first failure is the easiest to debug.
std::vector<Case> correct_cases(const Rubric& rubric, const Assignment& assignment, Engine engine,
                                const Focus& focus, std::uint64_t seed);

// Returns the small sizes and the misaligned case with each type's first data class, and the large size with
// the first type only: whether code is clean does not depend on the values.
std::vector<Case> clean_cases(const Rubric& rubric, const Assignment& assignment, const Focus& focus,
                              std::uint64_t seed);

// Returns the case whose work is counted: the rubric's type and size.
Case work_case(const Rubric& rubric, const Assignment& assignment, const Focus& focus, std::uint64_t seed);

}  // namespace warpmark::judge
