// Prepended to every CUDA source, as nvcc does with its runtime header; precompiled once per compilation pass
// (host, device).
#include "cuda_runtime.h"
