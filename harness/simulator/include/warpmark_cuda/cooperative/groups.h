// Implements coalesced groups, thread blocks, the grid group, and thread_group.
#pragma once

#include "warpmark_cuda/cooperative/details.h"

namespace cooperative_groups {

// A group of lanes of one warp, given by a mask. Base class of tiles within a warp.
class coalesced_group {
 public:
  WARPMARK_CG explicit coalesced_group(unsigned int mask, unsigned int groups = 1, unsigned int group = 0)
      : mask_(mask), meta_size_(groups), meta_rank_(group) {}

  WARPMARK_CG void sync() const { __syncwarp(mask_); }
  WARPMARK_CG unsigned int size() const { return (unsigned int)__popc(mask_); }
  WARPMARK_CG unsigned int num_threads() const { return size(); }
  WARPMARK_CG unsigned int thread_rank() const {
    return (unsigned int)__popc(mask_ & ((1u << details::lane()) - 1));
  }
  WARPMARK_CG unsigned int meta_group_size() const { return meta_size_; }
  WARPMARK_CG unsigned int meta_group_rank() const { return meta_rank_; }

  template <typename T>
  WARPMARK_CG T shfl(T value, unsigned int rank) const {
    return details::from_lane(mask_, value, details::lane_of_rank(mask_, rank % size()));
  }
  template <typename T>
  WARPMARK_CG T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return details::from_lane(mask_, value, details::lane_of_rank(mask_, rank < delta ? rank : rank - delta));
  }
  template <typename T>
  WARPMARK_CG T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    const bool inside = rank + delta < size();
    return details::from_lane(mask_, value, details::lane_of_rank(mask_, inside ? rank + delta : rank));
  }
  WARPMARK_CG int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPMARK_CG int all(int predicate) const { return __all_sync(mask_, predicate); }
  WARPMARK_CG unsigned int ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
  template <typename T>
  WARPMARK_CG unsigned int match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <typename T>
  WARPMARK_CG unsigned int match_all(T value, int& all) const {
    return packed(__match_all_sync(mask_, value, &all));
  }
  WARPMARK_CG unsigned int __warpmark_mask() const { return mask_; }

 private:
  // Converts a mask of warp lanes to a mask of ranks in the cooperative group, which has only some of the
  // lanes.
  WARPMARK_CG unsigned int packed(unsigned int lanes) const {
    unsigned int ranks = 0;
    unsigned int rank = 0;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      if ((lanes & rest & (0u - rest)) != 0) ranks |= 1u << rank;
    }
    return ranks;
  }
  unsigned int mask_;
  unsigned int meta_size_, meta_rank_;
};

WARPMARK_CG inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

// cg::block_tile_memory: shared memory that a program must provide for multi-warp tiles on older GPUs. The
// simulator does not use it.
template <unsigned int Threads = 1024>
struct block_tile_memory {
  unsigned int words[Threads / 32];
};

class thread_block {
 public:
  struct arrival_token {};
  WARPMARK_CG static void sync() { __syncthreads(); }
  WARPMARK_CG static unsigned int size() { return details::threads_of_block(); }
  WARPMARK_CG static unsigned int num_threads() { return size(); }
  WARPMARK_CG static unsigned int thread_rank() { return details::thread_in_block(); }
  WARPMARK_CG static arrival_token barrier_arrive() { return {}; }
  WARPMARK_CG static void barrier_wait(arrival_token&&) { sync(); }
  WARPMARK_CG static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WARPMARK_CG static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  WARPMARK_CG static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  WARPMARK_CG static dim3 dim_threads() { return group_dim(); }
};

WARPMARK_CG inline thread_block this_thread_block() {
  return thread_block();
}
template <unsigned int Threads>
WARPMARK_CG inline thread_block this_thread_block(block_tile_memory<Threads>&) {
  return thread_block();
}

// Group of all threads of a grid that was launched by cudaLaunchCooperativeKernel.
class grid_group {
 public:
  struct arrival_token {};
  WARPMARK_CG static bool is_valid() { return __warpmark_grid_is_valid() != 0; }
  // Grid-wide barrier: the block synchronises, thread 0 waits for the other blocks, then the block continues.
  WARPMARK_CG static void sync() {
    __threadfence();
    __syncthreads();
    if (details::thread_in_block() == 0) __warpmark_grid_barrier();
    __syncthreads();
  }
  WARPMARK_CG static arrival_token barrier_arrive() { return {}; }
  WARPMARK_CG static void barrier_wait(arrival_token&&) { sync(); }
  WARPMARK_CG static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  WARPMARK_CG static unsigned long long size() { return num_blocks() * details::threads_of_block(); }
  WARPMARK_CG static unsigned long long num_threads() { return size(); }
  WARPMARK_CG static unsigned long long block_rank() { return details::block_in_grid(); }
  WARPMARK_CG static unsigned long long thread_rank() {
    return details::block_in_grid() * details::threads_of_block() + details::thread_in_block();
  }
  WARPMARK_CG static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  WARPMARK_CG static dim3 dim_blocks() { return group_dim(); }
  WARPMARK_CG static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WARPMARK_CG static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
};

WARPMARK_CG inline grid_group this_grid() {
  return grid_group();
}

// Type-erased group, for functions that accept any kind of group.
class thread_group {
 public:
  WARPMARK_CG thread_group(const thread_block&) : kind_(Kind::block), value_(0) {}
  WARPMARK_CG thread_group(const grid_group&) : kind_(Kind::grid), value_(0) {}
  WARPMARK_CG thread_group(const coalesced_group& group)
      : kind_(Kind::lanes), value_(group.__warpmark_mask()) {}

  WARPMARK_CG void sync() const {
    if (kind_ == Kind::block)
      __syncthreads();
    else if (kind_ == Kind::grid)
      grid_group::sync();
    else
      __syncwarp(value_);
  }
  WARPMARK_CG unsigned long long size() const {
    if (kind_ == Kind::grid) return grid_group::size();
    return kind_ == Kind::block ? details::threads_of_block() : (unsigned int)__popc(value_);
  }
  WARPMARK_CG unsigned long long num_threads() const { return size(); }
  WARPMARK_CG unsigned long long thread_rank() const {
    if (kind_ == Kind::grid) return grid_group::thread_rank();
    return kind_ == Kind::block ? details::thread_in_block() : coalesced_group(value_).thread_rank();
  }
  WARPMARK_CG bool __warpmark_is_block() const { return kind_ == Kind::block; }
  WARPMARK_CG unsigned int __warpmark_mask() const { return value_; }

 private:
  enum class Kind { block, grid, lanes } kind_;
  unsigned int value_;  // lane mask of a type-erased cooperative group, if the group is part of a warp
};

}  // namespace cooperative_groups
