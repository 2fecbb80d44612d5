// Implements cluster_group: blocks of a cluster, which run concurrently and can access each other's shared
// memory.
#pragma once

#include "warpmark_cuda/cooperative/groups.h"
#include "warpmark_cuda/device/clusters.h"

namespace cooperative_groups {

namespace details {

// Global-memory words on which a cluster barrier also performs atomic operations, so that the race detector
// sees that the barrier orders the blocks' stores to global memory. A cluster's word is chosen by hashing, so
// clusters may share one.
static __device__ unsigned int cluster_words[64];

WARPMARK_CG inline dim3 cluster_place(unsigned int first) {
  return dim3(__warpmark_cluster_place(first), __warpmark_cluster_place(first + 1),
              __warpmark_cluster_place(first + 2));
}

}  // namespace details

class cluster_group {
 public:
  struct arrival_token {};
  // Cluster-wide barrier: the block synchronises, thread 0 waits for the other blocks, then the block
  // continues.
  WARPMARK_CG static void sync() {
    __threadfence();
    __syncthreads();
    if (details::thread_in_block() == 0) {
      const dim3 size = dim_blocks();
      const unsigned int cluster =
          (blockIdx.z / size.z * 61 + blockIdx.y / size.y * 7 + blockIdx.x / size.x) % 64;
      atomicAdd(&details::cluster_words[cluster], 1u);
      __warpmark_cluster_barrier();
      atomicAdd(&details::cluster_words[cluster], 1u);
      __threadfence();
    }
    __syncthreads();
  }
  WARPMARK_CG static arrival_token barrier_arrive() { return {}; }
  WARPMARK_CG static void barrier_wait() { sync(); }
  WARPMARK_CG static void barrier_wait(arrival_token&&) { sync(); }
  WARPMARK_CG static unsigned int query_shared_rank(const void* pointer) {
    return __warpmark_shared_rank(pointer);
  }
  template <typename T>
  WARPMARK_CG static T* map_shared_rank(T* pointer, int rank) {
    return (T*)__warpmark_map_shared((const void*)pointer, (unsigned int)rank);
  }
  WARPMARK_CG static dim3 block_index() { return details::cluster_place(1); }
  WARPMARK_CG static unsigned int block_rank() { return __warpmark_cluster_place(0); }
  WARPMARK_CG static dim3 dim_blocks() { return details::cluster_place(4); }
  WARPMARK_CG static unsigned int num_blocks() {
    const dim3 size = dim_blocks();
    return size.x * size.y * size.z;
  }
  WARPMARK_CG static dim3 dim_threads() {
    const dim3 size = dim_blocks();
    return dim3(size.x * blockDim.x, size.y * blockDim.y, size.z * blockDim.z);
  }
  WARPMARK_CG static unsigned int num_threads() { return num_blocks() * details::threads_of_block(); }
  WARPMARK_CG static unsigned int size() { return num_threads(); }
  WARPMARK_CG static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  WARPMARK_CG static unsigned int thread_rank() {
    return block_rank() * details::threads_of_block() + details::thread_in_block();
  }
};

WARPMARK_CG inline cluster_group this_cluster() {
  return cluster_group();
}

}  // namespace cooperative_groups
