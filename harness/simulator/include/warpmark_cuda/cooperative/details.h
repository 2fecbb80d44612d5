// Helpers of cooperative groups: thread rank, lanes selected by a mask, and exchange of values between lanes.
#pragma once

#include "cuda_runtime.h"

extern "C" __device__ int __warpmark_grid_is_valid();
extern "C" __device__ void __warpmark_grid_barrier();

#define WARPMARK_CG __device__ __attribute__((always_inline, nodebug))

namespace cooperative_groups {

// Warp shuffles, votes and matches on values of any trivially copyable type; a shuffle transfers 32 bits at a
// time.
namespace details {

WARPMARK_CG inline unsigned int lane() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
WARPMARK_CG inline unsigned int thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
WARPMARK_CG inline unsigned int threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
WARPMARK_CG inline unsigned long long block_in_grid() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
// Returns the lane with the given rank in a group: the position of the rank-th set bit of the mask, counted
// from 0.
WARPMARK_CG inline unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
  for (; rank > 0; --rank) mask &= mask - 1;
  return (unsigned int)__ffs((int)mask) - 1;
}
template <typename T>
WARPMARK_CG inline T from_lane(unsigned int mask, const T& value, unsigned int lane) {
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned int i = 0; i < (sizeof(T) + 3) / 4; ++i) words[i] = __shfl_sync(mask, words[i], (int)lane);
  T result = value;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

// Returns the mask of the lanes of the calling thread's warp that exist; a block's last warp may be
// incomplete.
WARPMARK_CG inline unsigned int lanes_of_warp() {
  const unsigned int first_thread = thread_in_block() - lane();
  const unsigned int rest = threads_of_block() - first_thread;
  return rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
}
// Returns the mask of the aligned group of `size` lanes that contains the calling lane.
WARPMARK_CG inline unsigned int lanes_of_tile(unsigned int size) {
  const unsigned int first = lane() / size * size;
  return ((unsigned int)((1ull << size) - 1) << first) & lanes_of_warp();
}
// Divides the lanes of the mask into groups of `size` consecutive ranks and returns the mask of the calling
// lane's group.
WARPMARK_CG inline unsigned int lanes_of_piece(unsigned int mask, unsigned int size) {
  const unsigned int own = (unsigned int)__popc(mask & ((1u << lane()) - 1)) / size;
  unsigned int piece = 0;
  unsigned int rank = 0;
  for (unsigned int rest = mask; rest != 0; rest &= rest - 1, ++rank) {
    if (rank / size == own) piece |= rest & (0u - rest);
  }
  return piece;
}

}  // namespace details

}  // namespace cooperative_groups
