#pragma once

#include "harness/model/grade.h"

namespace warpmark {

// Gives a cause all that pictures are drawn from.
void add_evidence(Cause& cause);

}  // namespace warpmark
