// Calls in which the simulator runs blocks and warps in another order than that of their numbers. A GPU
// promises no order, so that an answer which is wrong in one of them is a wrong answer.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/checks/version_worker.h"

namespace warpmark::judge {

// Cause::mistake of an answer that was wrong only in another order.
inline constexpr const char* kInAnotherOrder = "another_order";

// Returns true if the cause says that an answer is wrong or missing.
bool is_about_the_answer(const GradingContext& bench, const Cause& cause);

// Returns the seed of one of the orders, counted from 1, in which the checks make calls with a test input.
std::uint64_t other_order(const Case& which, std::uint64_t number);

// Returns how `correct` makes the second call with a test input: on the simulator in another order, one block
// at a time, so that the same seed gives the same answer.
wire::RunMode mode_of_second_call(const Case& which, Engine engine);

// Repeats, in some other orders, the calls of a version in which the simulator saw a race although all
// answers were right. Returns the failures of the first call whose answer is wrong; empty if all are right.
// Replaces the worker process.
std::vector<Cause> wrong_in_other_orders(const GradingContext& bench, VersionWorker& worker,
                                         const std::vector<Case>& cases);

// Rewrites a wrong answer that is right as long as blocks and warps run in the order of their numbers.
// `remarks`: what the simulator saw; a race among them is told as the reason, unless the source takes places
// from an atomic.
Cause because_of_order(Cause wrong, const std::vector<Cause>& remarks, const Blame& blame);

// Returns true if each failure shows in another order alone, so that nothing was found to explain it.
bool show_in_another_order_alone(const std::vector<Cause>& failures);

}  // namespace warpmark::judge
