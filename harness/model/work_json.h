// JSON form of the figures on counted work, which grade.json and reference.json share.
#pragma once

#include "harness/model/grade.h"
#include "harness/model/json.h"

namespace warpmark {

void describe(auto& archive, Of<WorkFigures> auto& value) {
  WARPMARK_MEMBERS(launches, instructions);
  WARPMARK_ROUNDED(active_lanes);
  WARPMARK_MEMBERS(requests, sectors, shared_requests, bank_conflicts, barriers, global_atomics,
                   shared_atomics);
}

}  // namespace warpmark
