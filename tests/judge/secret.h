// Secret sizes of assignments with one size.
#pragma once

#include <cstdint>

#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Draws `count` sizes from 1 to `most`.
inline SecretSizes secret_below(std::uint64_t count, std::int64_t most) {
  return {count, {{plain::Expression::number(1), plain::Expression::number(most)}}, {}};
}

}  // namespace warpmark::judge
