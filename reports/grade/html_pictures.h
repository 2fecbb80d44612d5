// Adds the pictures of a failure, with their legends and texts, to the values of templates/cause.mustache.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/grade.h"

namespace warpmark {

// A picture is left out where the cause has no data for it, or where it would show no more than the message
// says.
void add_pictures(const Cause& cause, mstch::map& view);

}  // namespace warpmark
