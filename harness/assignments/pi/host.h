// CPU versions of `pi`.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark::pi {

std::span<const HostVersion> pi_on_the_cpu();

}  // namespace warpmark::pi
