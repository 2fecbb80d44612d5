// CUDA driver API for the simulator, limited to functions with a counterpart in the runtime API: devices,
// contexts, memory, streams and events. Loading modules and launching kernels by name are not supported.
#pragma once

#if __has_include("warpmark_cuda/driver/driver.h")
#include "warpmark_cuda/driver/driver.h"
#else
#include "cuda_runtime.h"
#endif
