// CUDA driver API for the simulator: functions with a counterpart in the runtime API (devices, contexts,
// memory, streams and events), modules and launches of their kernels. A file of C has the runtime API alone:
// these functions are C++ code over it.
#pragma once

#if defined(__cplusplus) && __has_include("warpmark_cuda/driver/driver.h")
#include "warpmark_cuda/driver/driver.h"
#else
#include "cuda_runtime.h"
#endif
