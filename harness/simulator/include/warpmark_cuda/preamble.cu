// Header that Warpmark prepends to every CUDA source, as nvcc does with cuda_runtime.h; precompiled once for
// the host pass and once for the device pass.
#include "cuda_runtime.h"
