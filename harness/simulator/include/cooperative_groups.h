// Implements cooperative groups for the CUDA simulator: thread blocks, tiles, coalesced groups, clusters and
// grids. Multi-grid groups are not supported.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

#include "warpmark_cuda/cooperative/cluster.h"
#include "warpmark_cuda/cooperative/tiles.h"

namespace cooperative_groups {

template <typename Group>
WARPMARK_CG inline void sync(const Group& group) {
  group.sync();
}
template <typename Group>
WARPMARK_CG inline void synchronize(const Group& group) {
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

template <typename Group>
WARPMARK_CG inline bool is_valid(const Group& group) {
  return group.is_valid();
}

// cg::invoke_one calls the function from one thread of the group; cg::invoke_one_broadcast also returns its
// result to all threads.
template <typename Group, typename Function, typename... Arguments>
WARPMARK_CG inline void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <typename Group, typename Function, typename... Arguments>
WARPMARK_CG inline auto invoke_one_broadcast(const Group& group, Function&& function,
                                             Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif
