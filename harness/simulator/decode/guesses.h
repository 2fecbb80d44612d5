// Compare-and-swap loops begin with a plain load: `old = *p; do { seen = old; old = atomicCAS(p, seen,
// f(seen)); } while (old != seen);`. What the load finds is a guess that the swap tests, so it races with
// nothing.
#pragma once

#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// By index of the instruction: whether it loads the value that a compare-and-swap of the function compares
// with, from an address made of the same variables.
std::vector<bool> guesses_of(const ptx::Function& function);

// By index of the instruction: whether it is a strong load of global memory that a loop waits for, `while
// (*flag == 0)`, or whose value a device function returns: the loop may be in its caller.
std::vector<bool> polls_of(const ptx::Function& function);

}  // namespace warpmark::simulator
