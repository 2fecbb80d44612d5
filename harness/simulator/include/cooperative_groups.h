// Cooperative groups: blocks, tiles of a warp, the threads that are together, the grid. Clusters, tiles of
// more than a warp and groups of several grids are not simulated.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

extern "C" __device__ int __warpmark_grid_is_valid();
extern "C" __device__ void __warpmark_grid_barrier();

namespace cooperative_groups {

#define WARPMARK_CG __device__ __attribute__((always_inline, nodebug))
// Shuffles, votes and matches take any value that can be copied as bytes, word by word.
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
// The lane of a rank in a mask: that of the rank-th bit.
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

}  // namespace details

// Lanes of a warp, by their mask: what tiles and coalesced threads have in common.
class coalesced_group {
 public:
  WARPMARK_CG explicit coalesced_group(unsigned int mask) : mask_(mask) {}

  WARPMARK_CG void sync() const { __syncwarp(mask_); }
  WARPMARK_CG unsigned int size() const { return (unsigned int)__popc(mask_); }
  WARPMARK_CG unsigned int num_threads() const { return size(); }
  WARPMARK_CG unsigned int thread_rank() const {
    return (unsigned int)__popc(mask_ & ((1u << details::lane()) - 1));
  }
  WARPMARK_CG unsigned int meta_group_size() const { return 1; }
  WARPMARK_CG unsigned int meta_group_rank() const { return 0; }

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
  // Lanes' bits as ranks' bits.
  WARPMARK_CG unsigned int packed(unsigned int lanes) const {
    unsigned int ranks = 0;
    unsigned int rank = 0;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      if ((lanes & rest & (0u - rest)) != 0) ranks |= 1u << rank;
    }
    return ranks;
  }
  unsigned int mask_;
};

WARPMARK_CG inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

class thread_block {
 public:
  WARPMARK_CG static void sync() { __syncthreads(); }
  WARPMARK_CG static unsigned int size() { return details::threads_of_block(); }
  WARPMARK_CG static unsigned int num_threads() { return size(); }
  WARPMARK_CG static unsigned int thread_rank() { return details::thread_in_block(); }
  WARPMARK_CG static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WARPMARK_CG static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  WARPMARK_CG static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  WARPMARK_CG static dim3 dim_threads() { return group_dim(); }
};

WARPMARK_CG inline thread_block this_thread_block() {
  return thread_block();
}

// All blocks, in a launch by cudaLaunchCooperativeKernel.
class grid_group {
 public:
  WARPMARK_CG static bool is_valid() { return __warpmark_grid_is_valid() != 0; }
  // The block gathers, one thread waits for the other blocks, the block goes on.
  WARPMARK_CG static void sync() {
    __threadfence();
    __syncthreads();
    if (details::thread_in_block() == 0) __warpmark_grid_barrier();
    __syncthreads();
  }
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
};

WARPMARK_CG inline grid_group this_grid() {
  return grid_group();
}

// A block, a tile or coalesced threads, as functions take them that do not care which.
class thread_group {
 public:
  WARPMARK_CG thread_group(const thread_block&) : mask_(0) {}
  WARPMARK_CG thread_group(const coalesced_group& group) : mask_(group.__warpmark_mask()) {}

  WARPMARK_CG void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  WARPMARK_CG unsigned int size() const {
    return mask_ == 0 ? details::threads_of_block() : (unsigned int)__popc(mask_);
  }
  WARPMARK_CG unsigned int num_threads() const { return size(); }
  WARPMARK_CG unsigned int thread_rank() const {
    return mask_ == 0 ? details::thread_in_block() : coalesced_group(mask_).thread_rank();
  }

 private:
  unsigned int mask_;  // 0: the block
};

// `Size` neighbours of a warp.
template <unsigned int Size, typename Parent = void>
class thread_block_tile {
  static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                "a tile of more than 32 threads is unavailable: not simulated by Warpmark");

 public:
  WARPMARK_CG static void sync() { __syncwarp(__warpmark_mask()); }
  WARPMARK_CG static constexpr unsigned int size() { return Size; }
  WARPMARK_CG static constexpr unsigned int num_threads() { return Size; }
  WARPMARK_CG static unsigned int thread_rank() { return details::lane() % Size; }
  WARPMARK_CG static unsigned int meta_group_size() {
    return (details::threads_of_block() + Size - 1) / Size;
  }
  WARPMARK_CG static unsigned int meta_group_rank() { return details::thread_in_block() / Size; }

  template <typename T>
  WARPMARK_CG T shfl(T value, int rank) const {
    return details::from_lane(__warpmark_mask(), value, first_lane() + (unsigned int)rank % Size);
  }
  template <typename T>
  WARPMARK_CG T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return details::from_lane(__warpmark_mask(), value, first_lane() + (rank < delta ? rank : rank - delta));
  }
  template <typename T>
  WARPMARK_CG T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank();
    return details::from_lane(__warpmark_mask(), value,
                              first_lane() + (rank + delta < Size ? rank + delta : rank));
  }
  template <typename T>
  WARPMARK_CG T shfl_xor(T value, unsigned int lanes) const {
    return details::from_lane(__warpmark_mask(), value, first_lane() + ((thread_rank() ^ lanes) % Size));
  }
  WARPMARK_CG int any(int predicate) const { return __any_sync(__warpmark_mask(), predicate); }
  WARPMARK_CG int all(int predicate) const { return __all_sync(__warpmark_mask(), predicate); }
  WARPMARK_CG unsigned int ballot(int predicate) const {
    return __ballot_sync(__warpmark_mask(), predicate) >> first_lane();
  }
  template <typename T>
  WARPMARK_CG unsigned int match_any(T value) const {
    return __match_any_sync(__warpmark_mask(), value) >> first_lane();
  }
  template <typename T>
  WARPMARK_CG unsigned int match_all(T value, int& all) const {
    return __match_all_sync(__warpmark_mask(), value, &all) >> first_lane();
  }
  WARPMARK_CG operator coalesced_group() const { return coalesced_group(__warpmark_mask()); }
  WARPMARK_CG operator thread_group() const { return thread_group(coalesced_group(__warpmark_mask())); }

  // Its lanes, those that the block has.
  WARPMARK_CG static unsigned int __warpmark_mask() {
    const unsigned int first_thread = details::thread_in_block() - details::lane();
    const unsigned int rest = details::threads_of_block() - first_thread;
    const unsigned int there = rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
    return ((unsigned int)((1ull << Size) - 1) << first_lane()) & there;
  }

 private:
  WARPMARK_CG static unsigned int first_lane() { return details::lane() / Size * Size; }
};

template <unsigned int Size, typename Parent>
WARPMARK_CG inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}
// Of a size that only the running program knows.
WARPMARK_CG inline coalesced_group tiled_partition(const thread_block&, unsigned int size) {
  const unsigned int first = details::lane() / size * size;
  const unsigned int rest = details::threads_of_block() - (details::thread_in_block() - details::lane());
  const unsigned int there = rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
  return coalesced_group(((unsigned int)((1ull << size) - 1) << first) & there);
}
WARPMARK_CG inline thread_block_tile<1> this_thread() {
  return thread_block_tile<1>();
}

// The threads of a group that say the same.
template <typename Group>
WARPMARK_CG inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int mask = group.__warpmark_mask();
  const unsigned int ours = __ballot_sync(mask, predicate);
  return coalesced_group(predicate ? ours : mask & ~ours);
}
template <typename Group, typename Label>
WARPMARK_CG inline coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.__warpmark_mask(), label));
}

template <typename Group>
WARPMARK_CG inline void sync(const Group& group) {
  group.sync();
}
template <typename Group>
WARPMARK_CG inline unsigned int thread_rank(const Group& group) {
  return (unsigned int)group.thread_rank();
}
template <typename Group>
WARPMARK_CG inline unsigned int group_size(const Group& group) {
  return (unsigned int)group.size();
}

}  // namespace cooperative_groups

#endif
