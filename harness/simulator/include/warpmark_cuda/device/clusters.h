// Low-level functions for thread block clusters (cluster size, ranks, barrier, distributed shared memory),
// from which cooperative_groups::cluster_group is built (cooperative/cluster.h).
#pragma once

#include "warpmark_cuda/qualifiers.h"

#if defined(__CUDA__)

// Sets the kernel's cluster size. The source attribute __cluster_dims__ becomes a call of this at the start
// of the kernel (harness/build/nvcc_spelling.h); the call emits a .pragma into the PTX that the launch reads.
template <unsigned int X, unsigned int Y = 1, unsigned int Z = 1>
WARPMARK_DEVICE void warpmark_cluster_dims() {
  asm volatile(".pragma \"warpmark_cluster %0 %1 %2\";" ::"n"(X), "n"(Y), "n"(Z));
}

// Returns a coordinate of the calling block: which = 0: rank in the cluster; 1 to 3: index in the cluster (x,
// y, z); 4 to 6: cluster dimensions.
extern "C" __device__ unsigned int __warpmark_cluster_place(unsigned int which);
extern "C" __device__ void __warpmark_cluster_barrier();
extern "C" __device__ void* __warpmark_map_shared(const void* pointer, unsigned int rank);
extern "C" __device__ unsigned int __warpmark_shared_rank(const void* pointer);

#endif
