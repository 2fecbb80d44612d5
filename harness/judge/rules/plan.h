// Selects the test inputs (type, size, data, seed) that each check runs: pure functions of rubric and seed.
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

// Restricts a run to certain test inputs, to reproduce a failure; empty members restrict nothing.
struct Focus {
  std::optional<std::uint64_t> seed;  // replaces the seed of every test input
  std::optional<Size> size;           // the only input size that runs
  std::string type;                   // the only element type that is tested
  std::string test;                   // the only test case that runs, if submissions are programs
};

// Draws the rubric's secret sizes from the seed. Throws AssignmentFault if the rubric's ranges allow none.
std::vector<Size> secret_sizes(const Rubric& rubric, std::uint64_t seed);

// Draws the secret size that both `correct` and `clean` run: the smallest of several, no larger than the
// largest size of `clean`; nullopt if all are larger, or the rubric has no secret sizes.
std::optional<Size> small_secret_size(const Rubric& rubric, const Assignment& assignment, std::uint64_t seed);

// Returns the extreme secret sizes that the rubric allows: each part at its lowest or highest bound.
std::vector<Size> secret_corners(const Rubric& rubric);

// Returns the sizes at which experiments look for the smallest input that shows a fault: those of the rubric,
// and small ones within the ranges of the secret sizes, up to some thousand values or the size of `which`,
// smallest first.
std::vector<Size> sizes_to_try(const Rubric& rubric, const Assignment& assignment, const Case& which);

// Returns the rubric's smallest size of several parts that all are multiples of 64, or else of 32, or of 16:
// it consists of full tiles, of most sides that kernels use. nullopt: there is none of some thousand values.
std::optional<Size> full_tiles_of(const Rubric& rubric, const Assignment& assignment);

// Returns the rubric's fixed sizes, the secret sizes drawn from the seed, and inputs of one size and of the
// smallest that are not aligned to 256 bytes, for every element type and data class; smallest first, so that
// the first failure is the easiest to debug.
std::vector<Case> correct_cases(const Rubric& rubric, const Assignment& assignment, Engine engine,
                                const Focus& focus, std::uint64_t seed);

// Returns the inputs that run under the simulator's error detectors with the -O0 build and in several
// schedules, or under sanitizers: the small sizes, a secret one, and the misaligned input with each type's
// first data class, and the large size with the first type only. The result of these detectors hardly depends
// on the data.
std::vector<Case> clean_cases(const Rubric& rubric, const Assignment& assignment, const Focus& focus,
                              std::uint64_t seed);

// Returns true if `work` may count a call with this size: the rubric's work.size, whose first number may be
// up to a sixteenth smaller where `correct` has secret sizes. An assignment with a judge.cpp may derive
// anything from a size, so that its size is the stated one.
bool is_work_size(const Rubric& rubric, const Size& size);

// Returns a version's test input, of the rubric's work.type and a size drawn from those of is_work_size(),
// whose memory requests, atomics, bank conflicts etc. are counted. Drawn downwards, because an input that is
// a little smaller takes no more launches and fills the same tiles.
Case work_case(const Rubric& rubric, const Assignment& assignment, const VersionRule& version,
               const Focus& focus, std::uint64_t seed);

}  // namespace warpmark::judge
