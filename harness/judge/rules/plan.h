// Which cases a check asks, as a pure function of the rubric and a seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/engine.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// 64 secret random bits. Throws std::system_error when the system provides none.
std::uint64_t seed_from_the_system();

// What the user asked to see again; empty members are free.
struct Focus {
  std::optional<std::uint64_t> seed;  // of every case
  std::optional<std::uint64_t> size;  // the only size
  std::string type;                   // the only type
};

// The rubric's sizes, the secret ones drawn from the seed, and the shifted one, for every type and data
// class. Small sizes first, so that the first failure is the easiest to look at.
std::vector<Case> correct_cases(const Rubric& rubric, const Assignment& assignment, Engine engine,
                                const Focus& focus, std::uint64_t seed);

// Small sizes of the first data class of every type, the shifted one, and the large one of the first type
// alone: whether code is clean does not depend on the values.
std::vector<Case> clean_cases(const Rubric& rubric, const Assignment& assignment, const Focus& focus,
                              std::uint64_t seed);

// The call whose work is counted: the rubric's type and size.
Case work_case(const Rubric& rubric, const Assignment& assignment, const Focus& focus, std::uint64_t seed);

}  // namespace warpmark::judge
