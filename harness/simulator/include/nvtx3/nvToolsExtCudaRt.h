// NVTX functions that name devices, streams and events for a profiler; no-ops on the simulator.
#pragma once

#include "cuda_runtime_api.h"
#include "nvtx3/nvToolsExt.h"

#define nvtxNameCudaDevice(device, name) ((void)(device), (void)(name))
#define nvtxNameCudaStream(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCudaEvent(event, name) ((void)(event), (void)(name))
