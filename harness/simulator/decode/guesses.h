// Finds loads that the race detector treats specially. A compare-and-swap loop starts with a plain load:
// `old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (old != seen);`. The loaded value is
// only a guess, which the compare-and-swap validates, so this load is not reported as a race.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// Returns one flag per PTX instruction: true for a load of a compare-and-swap loop's expected value, i.e. a
// load whose value the same PTX function later passes to a compare-and-swap of the same address.
std::vector<bool> guesses_of(const ptx::Function& function);

// Returns one flag per instruction: true if it is a strong load of global memory whose value a loop condition
// depends on (`while (*flag == 0)`), or whose value a device function returns, because the loop may be in the
// caller.
std::vector<bool> polls_of(const ptx::Function& function);

// The lanes that use a value: those where a predicate register is true or, if `negated`, false.
struct Condition {
  int predicate = -1;
  bool negated = false;
};
// Returns, by the index of its PTX instruction, each load of a variable whose value the other lanes throw
// away. Of `c ? variable : 0` clang at -O2 makes a load by all lanes and a selection, because the load cannot
// fault; in the source only the lanes with `c` read the variable.
std::map<std::size_t, Condition> conditions_of(const ptx::Function& function);

}  // namespace warpmark::simulator
