// Implements cooperative_groups::memcpy_async: each call is a group of copies, for which cg::wait() and
// cg::wait_prior() wait.
#pragma once

#include "cooperative_groups.h"

#if defined(__CUDA__)

#include "warpmark_cuda/device/copy_bytes.h"

namespace cooperative_groups {

template <typename Group, typename To, typename From, typename Size>
WARPMARK_CG inline void memcpy_async(const Group& group, To* to, const From* from, const Size& bytes) {
  warpmark_copy_bytes<false>((char*)to, (const char*)from, (size_t)bytes, (size_t)group.thread_rank(),
                             (size_t)group.size());
  __warpmark_copies_committed();
}
// cooperative_groups::memcpy_async with element counts for destination and source: the smaller one is copied.
template <typename Group, typename T, typename ToLayout, typename FromLayout>
WARPMARK_CG inline void memcpy_async(const Group& group, T* to, const ToLayout& to_count, const T* from,
                                     const FromLayout& from_count) {
  const size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
  memcpy_async(group, to, from, count * sizeof(T));
}
template <typename Group>
WARPMARK_CG inline void wait(const Group& group) {
  __warpmark_copies_awaited(0);
  group.sync();
}
template <unsigned int Stages, typename Group>
WARPMARK_CG inline void wait_prior(const Group& group) {
  __warpmark_copies_awaited(Stages);
  group.sync();
}

}  // namespace cooperative_groups

#endif
