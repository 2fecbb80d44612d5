// The packaged header, and thrust::cuda::par, which it brings where the device system is CUDA's.
#pragma once

#include_next <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
