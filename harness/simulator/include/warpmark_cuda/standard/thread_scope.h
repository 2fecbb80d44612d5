// Defines the enumerations cuda::thread_scope and cuda::memory_order.
#pragma once

#include "cuda_runtime.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };

enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};

}  // namespace cuda
