// The driver API is not simulated. Programs often include this header and use the runtime only.
#pragma once

#include "warpmark_cuda/not_simulated.h"

#define CUDA_VERSION CUDART_VERSION

typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#define WARPMARK_MISSING(name) WARPMARK_NOT_SIMULATED int name(...)
WARPMARK_MISSING(cuInit);
WARPMARK_MISSING(cuDeviceGet);
WARPMARK_MISSING(cuDeviceGetCount);
WARPMARK_MISSING(cuDeviceGetName);
WARPMARK_MISSING(cuDeviceGetAttribute);
WARPMARK_MISSING(cuCtxCreate);
WARPMARK_MISSING(cuCtxDestroy);
WARPMARK_MISSING(cuCtxSynchronize);
WARPMARK_MISSING(cuModuleLoad);
WARPMARK_MISSING(cuModuleLoadData);
WARPMARK_MISSING(cuModuleGetFunction);
WARPMARK_MISSING(cuModuleGetGlobal);
WARPMARK_MISSING(cuModuleUnload);
WARPMARK_MISSING(cuMemAlloc);
WARPMARK_MISSING(cuMemFree);
WARPMARK_MISSING(cuMemcpyHtoD);
WARPMARK_MISSING(cuMemcpyDtoH);
WARPMARK_MISSING(cuMemcpyDtoD);
WARPMARK_MISSING(cuMemsetD8);
WARPMARK_MISSING(cuMemsetD32);
WARPMARK_MISSING(cuLaunchKernel);
WARPMARK_MISSING(cuStreamSynchronize);
WARPMARK_MISSING(cuGetErrorString);
#undef WARPMARK_MISSING
