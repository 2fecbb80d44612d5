// CUDA driver API for the simulator: functions with a counterpart in the runtime API (devices, contexts,
// memory, streams and events), modules and launches of their kernels.
#pragma once

#if __has_include("warpmark_cuda/driver/driver.h")
#include "warpmark_cuda/driver/driver.h"
#else
#include "cuda_runtime.h"
#endif
