// Reads the state of the GPU that a worker process uses.
#pragma once

#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// Returns clocks, temperature and throttling, and the number of processes on the GPU besides the worker
// process, which must be the harness's only one there; empty where the driver reports nothing.
Conditions conditions_of(WorkerClient& worker);

}  // namespace warpmark::judge
