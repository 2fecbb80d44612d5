// The driver API, as far as it does what the runtime does: devices, contexts, memory, streams and events.
// Modules, and kernels by name, are not simulated.
#pragma once

#include "warpmark_cuda/driver.h"
