// Implements tiles of consecutive threads, and partitions of other groups.
#pragma once

#include "warpmark_cuda/cooperative/groups.h"

namespace cooperative_groups {

// Tile of `Size` consecutive lanes of one warp.
template <unsigned int Size>
class tile_of_lanes {
 public:
  WARPMARK_CG static void sync() { __syncwarp(__warpmark_mask()); }
  WARPMARK_CG static constexpr unsigned int size() { return Size; }
  WARPMARK_CG static constexpr unsigned int num_threads() { return Size; }
  WARPMARK_CG static unsigned int thread_rank() { return details::lane() % Size; }

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

  // Returns the lane mask of a cooperative-groups tile within a warp.
  WARPMARK_CG static unsigned int __warpmark_mask() { return details::lanes_of_tile(Size); }

 private:
  WARPMARK_CG static unsigned int first_lane() { return details::lane() / Size * Size; }
};

// Tile of `Size` threads that spans several warps. Its sync() is a named barrier with a thread count.
template <unsigned int Size>
class tile_of_warps {
 public:
  WARPMARK_CG static void sync() { asm volatile("bar.sync %0, %1;" ::"r"(barrier()), "r"(Size) : "memory"); }
  WARPMARK_CG static constexpr unsigned int size() { return Size; }
  WARPMARK_CG static constexpr unsigned int num_threads() { return Size; }
  WARPMARK_CG static unsigned int thread_rank() { return details::thread_in_block() % Size; }

  template <typename T>
  WARPMARK_CG T shfl(T value, int rank) const {
    __shared__ __align__(16) unsigned char values[1024 * sizeof(T)];
    const unsigned int first = details::thread_in_block() / Size * Size;
    __builtin_memcpy(values + sizeof(T) * details::thread_in_block(), &value, sizeof(T));
    sync();
    __builtin_memcpy(&value, values + sizeof(T) * (first + (unsigned int)rank % Size), sizeof(T));
    sync();
    return value;
  }
#define WARPMARK_TILE_VOTE(name, operation)                                                  \
  WARPMARK_CG int name(int predicate) const {                                                \
    int result;                                                                              \
    asm volatile("{ .reg .pred %%mine, %%all; setp.ne.s32 %%mine, %1, 0; bar.red." operation \
                 ".pred %%all, %2, %3, %%mine; selp.s32 %0, 1, 0, %%all; }"                  \
                 : "=r"(result)                                                              \
                 : "r"(predicate), "r"(barrier()), "r"(Size)                                 \
                 : "memory");                                                                \
    return result;                                                                           \
  }
  WARPMARK_TILE_VOTE(any, "or")
  WARPMARK_TILE_VOTE(all, "and")
#undef WARPMARK_TILE_VOTE

 private:
  // Returns the number of the named barrier that the tile uses. A block has 16 barriers and at most 16 such
  // tiles; barrier 0 serves __syncthreads() as well.
  WARPMARK_CG static unsigned int barrier() {
    return (details::thread_in_block() / Size + 1) % 16;
  }
};

template <unsigned int Size>
struct tile_base {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, ... 1024 threads");
  typedef tile_of_warps<Size> type;
};
#define WARPMARK_TILE(size)           \
  template <>                         \
  struct tile_base<size> {            \
    typedef tile_of_lanes<size> type; \
  };
WARPMARK_TILE(1)
WARPMARK_TILE(2)
WARPMARK_TILE(4)
WARPMARK_TILE(8)
WARPMARK_TILE(16)
WARPMARK_TILE(32)
#undef WARPMARK_TILE

// Cooperative-groups tile that knows the number of tiles in its parent group: from the type Parent or, if
// that is erased (void), from a stored number.
template <unsigned int Size, typename Parent = void>
class thread_block_tile : public tile_base<Size>::type {
 public:
  WARPMARK_CG static unsigned int meta_group_size() { return (Parent::size() + Size - 1) / Size; }
  WARPMARK_CG static unsigned int meta_group_rank() { return Parent::thread_rank() / Size; }
};
template <unsigned int Size>
class thread_block_tile<Size, void> : public tile_base<Size>::type {
 public:
  template <typename Parent>
  WARPMARK_CG thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : meta_size_(tile.meta_group_size()), meta_rank_(tile.meta_group_rank()) {}
  WARPMARK_CG thread_block_tile(unsigned int groups, unsigned int group)
      : meta_size_(groups), meta_rank_(group) {}
  WARPMARK_CG unsigned int meta_group_size() const { return meta_size_; }
  WARPMARK_CG unsigned int meta_group_rank() const { return meta_rank_; }

 private:
  unsigned int meta_size_, meta_rank_;
};

template <unsigned int Size, typename Parent>
WARPMARK_CG inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}
// Partitions a group into tiles of a size known only at run time.
WARPMARK_CG inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  return coalesced_group(details::lanes_of_piece(parent.__warpmark_mask(), size),
                         (parent.size() + size - 1) / size, parent.thread_rank() / size);
}
WARPMARK_CG inline coalesced_group tiled_partition(const thread_block& block, unsigned int size) {
  return coalesced_group(details::lanes_of_tile(size), (block.size() + size - 1) / size,
                         block.thread_rank() / size);
}
WARPMARK_CG inline thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  return parent.__warpmark_is_block()
             ? thread_group(tiled_partition(thread_block(), size))
             : thread_group(tiled_partition(coalesced_group(parent.__warpmark_mask()), size));
}
WARPMARK_CG inline thread_block_tile<1> this_thread() {
  return thread_block_tile<1>(1, 0);
}

// Returns the group of those threads that have the same predicate as the calling thread.
template <typename Group>
WARPMARK_CG inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int mask = group.__warpmark_mask();
  const unsigned int ours = __ballot_sync(mask, predicate);
  return coalesced_group(predicate ? ours : mask & ~ours, 2, predicate ? 1 : 0);
}
template <typename Group, typename Label>
WARPMARK_CG inline coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.__warpmark_mask(), label));
}

namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;
}  // namespace experimental

}  // namespace cooperative_groups
