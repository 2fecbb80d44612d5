// Names of the memory that an access touches.
#pragma once

#include <string>

#include "harness/simulator/operations/context.h"

namespace warpmark::simulator {

struct LaunchState;
// "sums[5]", "element 5 of a 400-byte allocation", "just past the end of ...".
std::string name_of_shared(const LaunchState& launch, std::int64_t offset, unsigned width);
std::string name_of_global(const LaunchState& launch, Address address, unsigned width);

}  // namespace warpmark::simulator
