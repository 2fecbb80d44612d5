// The driver API, restricted to what the runtime also does: devices, contexts, memory, streams and events.
// Modules and kernels by name are not simulated.
#pragma once

#include "warpmark_cuda/driver.h"
