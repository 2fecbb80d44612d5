// Thread block clusters, except for cluster_group (cooperative/cluster.h).
#pragma once

#include "warpmark_cuda/qualifiers.h"

#if defined(__CUDA__)

// __cluster_dims__ is translated to a call at the beginning of the kernel (harness/build/nvcc_spelling.h),
// which leaves the cluster size in the PTX for the launch.
template <unsigned int X, unsigned int Y = 1, unsigned int Z = 1>
WARPMARK_DEVICE void warpmark_cluster_dims() {
  asm volatile(".pragma \"warpmark_cluster %0 %1 %2\";" ::"n"(X), "n"(Y), "n"(Z));
}

// 0: rank; 1 to 3: block index in the cluster; 4 to 6: cluster dimensions.
extern "C" __device__ unsigned int __warpmark_cluster_place(unsigned int which);
extern "C" __device__ void __warpmark_cluster_barrier();
extern "C" __device__ void* __warpmark_map_shared(const void* pointer, unsigned int rank);
extern "C" __device__ unsigned int __warpmark_shared_rank(const void* pointer);

#endif
