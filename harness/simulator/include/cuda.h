// The driver API, restricted to what the runtime also does: devices, contexts, memory, streams and events.
// Modules and kernels by name are not simulated.
#pragma once

#if __has_include("warpmark_cuda/driver/driver.h")
#include "warpmark_cuda/driver/driver.h"
#else
#include "cuda_runtime.h"
#endif
