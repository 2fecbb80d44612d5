#pragma once

#include "cuda_runtime_api.h"

#if defined(__CUDA__)
#include "warpmark_cuda/arithmetic.h"
#include "warpmark_cuda/atomics.h"
#include "warpmark_cuda/builtins.h"
#include "warpmark_cuda/device_library.h"
#include "warpmark_cuda/intrinsics.h"
#include "warpmark_cuda/math.h"
#endif
