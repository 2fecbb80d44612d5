// Includes the parts of cuda::std that the simulator's headers in namespace cuda need.
#pragma once

#include <cuda/__cccl_config>

#if WARPMARK_LIBCUDACXX
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"
#else
#include "warpmark_cuda/standard/host_standard.h"
#endif
