// thrust::device_free() on the simulator: of what its device_malloc() gave.
#pragma once

#include <cuda_runtime_api.h>
#include <thrust/device_free.h>

THRUST_NAMESPACE_BEGIN

inline void device_free(thrust::device_ptr<void> ptr) { cudaFree(ptr.get()); }

THRUST_NAMESPACE_END
