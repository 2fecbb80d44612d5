// Advice for instructors whose solution differs from `expected` by no more than rounding.
#pragma once

#include <string>

#include "harness/judge/rules/rubric.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Returns the advice to give an output a tolerance if `cause` is a wrong element of a floating-point output
// that has none, and the two values differ by at most a ten-thousandth; else an empty text.
std::string tolerance_advice(const Rubric& rubric, const Cause& cause);

}  // namespace warpmark::judge
