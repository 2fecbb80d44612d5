// Implements cuda::pipeline. A pipeline of thread scope only counts stages. One of block scope has two
// barriers per stage: `filled`, on which consumers wait, and `released`, on which producers wait.
#pragma once

#include "warpmark_cuda/standard/scoped_barrier.h"

#if defined(__CUDA__)

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned char Stages>
struct pipeline_shared_state {
  barrier<thread_scope_block> filled[Stages];
  barrier<thread_scope_block> released[Stages];
};

template <thread_scope Scope>
class pipeline {
 public:
  WARPMARK_BARRIER pipeline() {}
  WARPMARK_BARRIER pipeline(barrier<thread_scope_block>* filled, barrier<thread_scope_block>* released,
                            unsigned int stages)
      : filled_(filled), released_(released), stages_(stages) {}

  // cuda::pipeline's producer_acquire: waits until the consumers have released the pipeline's next stage. The
  // first use of each stage needs no wait.
  WARPMARK_BARRIER void producer_acquire() {
    if (filled_ != nullptr && produced_ >= stages_)
      released_[produced_ % stages_].wait_parity((produced_ / stages_ - 1) % 2 != 0);
  }
  WARPMARK_BARRIER void producer_commit() {
    if (filled_ != nullptr)
      filled_[produced_ % stages_].arrive();
    else
      __warpmark_copies_committed();
    ++produced_;
  }
  WARPMARK_BARRIER void consumer_wait() {
    if (filled_ != nullptr)
      filled_[consumed_ % stages_].wait_parity(consumed_ / stages_ % 2 != 0);
    else
      __warpmark_copies_awaited(produced_ - consumed_ - 1);
  }
  WARPMARK_BARRIER void consumer_release() {
    if (filled_ != nullptr) released_[consumed_ % stages_].arrive();
    ++consumed_;
  }
  WARPMARK_BARRIER bool quit() { return true; }

 private:
  barrier<thread_scope_block>* filled_ = nullptr;
  barrier<thread_scope_block>* released_ = nullptr;
  unsigned int stages_ = 1;
  unsigned int produced_ = 0;
  unsigned int consumed_ = 0;
};

WARPMARK_BARRIER inline pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}
namespace warpmark {
template <typename Group, thread_scope Scope, unsigned char Stages>
WARPMARK_BARRIER inline pipeline<Scope> made_pipeline(const Group& group,
                                                      pipeline_shared_state<Scope, Stages>* state,
                                                      size_t producers) {
  const size_t threads = (size_t)group.size();
  if (group.thread_rank() == 0) {
    for (unsigned int stage = 0; stage < Stages; ++stage) {
      state->filled[stage].begin((ptrdiff_t)(producers == 0 ? threads : producers));
      state->released[stage].begin((ptrdiff_t)(producers == 0 ? threads : threads - producers));
    }
  }
  group.sync();
  return pipeline<Scope>(state->filled, state->released, Stages);
}
}  // namespace warpmark
template <typename Group, thread_scope Scope, unsigned char Stages>
WARPMARK_BARRIER inline pipeline<Scope> make_pipeline(const Group& group,
                                                      pipeline_shared_state<Scope, Stages>* state) {
  return warpmark::made_pipeline(group, state, 0);
}
template <typename Group, thread_scope Scope, unsigned char Stages>
WARPMARK_BARRIER inline pipeline<Scope> make_pipeline(const Group& group,
                                                      pipeline_shared_state<Scope, Stages>* state,
                                                      size_t producers) {
  return warpmark::made_pipeline(group, state, producers);
}
template <typename Group, thread_scope Scope, unsigned char Stages>
WARPMARK_BARRIER inline pipeline<Scope> make_pipeline(const Group& group,
                                                      pipeline_shared_state<Scope, Stages>* state,
                                                      pipeline_role role) {
  // A whole block counts without atomics, which would count as the program's.
  if ((size_t)group.size() == (size_t)blockDim.x * blockDim.y * blockDim.z)
    return warpmark::made_pipeline(group, state,
                                   (size_t)__syncthreads_count(role == pipeline_role::producer ? 1 : 0));
  __shared__ unsigned int producers;
  if (group.thread_rank() == 0) producers = 0;
  group.sync();
  if (role == pipeline_role::producer) atomicAdd(&producers, 1u);
  group.sync();
  return warpmark::made_pipeline(group, state, producers);
}

template <unsigned char Stages>
WARPMARK_BARRIER inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
  __warpmark_copies_awaited(Stages);
}
// The barrier's phase ends after the copies: whether they are waited for is not checked.
template <thread_scope Scope>
WARPMARK_BARRIER inline void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<Scope>&) {
  __warpmark_copies_committed();
  __warpmark_copies_awaited(0);
}

template <typename To, typename From, typename Size, thread_scope Scope>
WARPMARK_BARRIER inline void memcpy_async(To* to, const From* from, Size bytes, pipeline<Scope>&) {
  warpmark_copy_bytes<Scope != thread_scope_thread>((char*)to, (const char*)from, (size_t)bytes, 0, 1);
}
template <typename Group, typename To, typename From, typename Size, thread_scope Scope>
WARPMARK_BARRIER inline void memcpy_async(const Group& group, To* to, const From* from, Size bytes,
                                          pipeline<Scope>&) {
  warpmark_copy_bytes<Scope != thread_scope_thread>((char*)to, (const char*)from, (size_t)bytes,
                                                    (size_t)group.thread_rank(), (size_t)group.size());
}

}  // namespace cuda

#endif
