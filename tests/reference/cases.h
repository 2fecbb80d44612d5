// Which inputs the reference is tried with, beyond the graded ones: pure functions of a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/assignments/assignment.h"

namespace warpmark {

inline constexpr std::uint64_t kSmallest =
    4200;  // sizes up to here can all be tried: two of the largest blocks

// Sizes 0 to 66 and those around every power of two up to 4096 (blocks of all versions, and twice that), with
// every value type. The alignments take turns, and so do the classes of data.
std::vector<Case> cases_at_edges(const Assignment& assignment, std::uint64_t seed);

// Sizes from 0 to kSmallest, each with one of the value types: all of them, or `count` drawn at random.
std::vector<Case> cases_of_every_size(const Assignment& assignment, std::uint64_t seed);
std::vector<Case> cases_of_some_sizes(const Assignment& assignment, std::uint64_t seed, std::uint64_t count);
// Sizes from 0 to kSmallest, each with every value type and class of data.
std::vector<Case> all_small_cases(const Assignment& assignment, std::uint64_t seed);

// Sizes that grow by about 1.7 from kSmallest to 2^log2_most, which is the last, each with one of the types.
std::vector<Case> growing_cases(const Assignment& assignment, std::uint64_t seed, unsigned log2_most);

}  // namespace warpmark
