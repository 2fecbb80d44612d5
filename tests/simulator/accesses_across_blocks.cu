// Kernels for access_test.cpp, as in accesses.cu: of several blocks that use the same memory.
#include <cuda_runtime.h>

__device__ unsigned ticket;
__device__ unsigned count_of_done;
__device__ int flag;

#define TID static_cast<int>(threadIdx.x)
#define GLOBAL static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)

__global__ void race_between_blocks(int* data, int* out) {
  data[GLOBAL] = GLOBAL;                                       // there
  if (TID == 0) out[blockIdx.x] = data[(GLOBAL + 128) % 512];  // here
}
__global__ void race_of_blocks_that_write(int* data, int* out) {
  if (TID == 0) out[0] = data[GLOBAL];  // here there
}
__global__ void race_of_an_atomic_with_a_store(int* data, int* out) {
  if (TID == 0 && blockIdx.x == 0) data[0] = 0;  // there
  if (TID >= 32) atomicAdd(&data[0], 1);         // here
  out[GLOBAL] = 0;
}
__global__ void clean_atomics_of_all_blocks(int* data, int* out) {
  atomicAdd(&data[0], GLOBAL);
  out[GLOBAL] = 0;
}
__global__ void clean_last_block(int* data, int* out) {
  __shared__ bool last;
  if (TID == 0) {
    out[blockIdx.x] = data[GLOBAL];
    __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (TID < static_cast<int>(gridDim.x)) data[TID] = out[TID];
}
__global__ void race_last_block_without_a_fence(int* data, int* out) {
  __shared__ bool last;
  if (TID == 0) {
    out[blockIdx.x] = data[GLOBAL];  // there
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (TID < static_cast<int>(gridDim.x)) out[512 + TID] = out[TID];  // here
}
__global__ void race_last_block_with_a_fence_for_the_block_only(int* data, int* out) {
  __shared__ bool last;
  if (TID == 0) {
    out[blockIdx.x] = data[GLOBAL];  // there
    __threadfence_block();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (TID < static_cast<int>(gridDim.x)) out[512 + TID] = out[TID];  // here
}
__global__ void race_last_block_with_a_fence_too_early(int* data, int* out) {
  __shared__ bool last;
  if (TID == 0) {
    __threadfence();
    out[blockIdx.x] = data[GLOBAL];  // there
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (TID < static_cast<int>(gridDim.x)) out[512 + TID] = out[TID];  // here
}
__global__ void clean_last_block_where_each_thread_fences(int* data, int* out) {
  __shared__ bool last;
  out[GLOBAL] = data[GLOBAL];
  __threadfence();
  __syncthreads();
  if (TID == 0) last = atomicAdd(&count_of_done, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int k = TID; k < static_cast<int>(gridDim.x * blockDim.x); k += 128) sum += out[k];
  out[1024 + TID] = sum;
  if (TID == 0) count_of_done = 0;
}
__global__ void clean_last_block_where_one_fence_follows_the_barrier(int* data, int* out) {
  __shared__ bool last;
  out[GLOBAL] = data[GLOBAL];
  __syncthreads();
  if (TID == 0) {
    __threadfence();
    last = atomicAdd(&count_of_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  for (int k = TID; k < static_cast<int>(gridDim.x * blockDim.x); k += 128) out[1024 + k] = out[k];
  if (TID == 0) count_of_done = 0;
}
__global__ void race_last_block_where_only_one_thread_fences(int* data, int* out) {
  __shared__ bool last;
  out[GLOBAL] = data[GLOBAL];  // there
  if (TID == 0) {
    __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  for (int k = TID; k < static_cast<int>(gridDim.x * blockDim.x); k += 128) out[1024 + k] = out[k];  // here
}
__global__ void race_volatile_sums_behind_fences_of_the_block(int* data, int* out) {
  volatile int* sums = out;
  if (TID != 0) return;
  data[1024 + GLOBAL] = 1;
  __threadfence_block();
  sums[blockIdx.x] = data[GLOBAL];  // there
  __threadfence_block();
  if (atomicInc(&ticket, gridDim.x - 1) != gridDim.x - 1) return;
  int sum = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) sum += sums[k];  // here
  out[64] = sum;
}
__global__ void race_word_that_all_read_and_the_first_writes(int* data, int* out) {
  out[GLOBAL] = data[5];          // here
  if (GLOBAL == 0) data[5] = -1;  // there
}
__global__ void race_arrived_at_a_barrier_but_not_waited(int* data, int* out) {
  __shared__ int shared[64];
  if (TID < 32) {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    out[GLOBAL] = shared[TID];  // here
  } else if (TID < 64) {
    shared[TID - 32] = data[GLOBAL];  // there
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
}
__global__ void race_set_before_the_atomics_of_other_blocks(int* data, int* out) {
  if (GLOBAL == 0) data[0] = 0;  // there
  __syncthreads();
  if (TID == 0) atomicAdd(&data[0], 1);  // here
}
__global__ void race_set_before_the_atomics_of_other_warps(int* data, int* out) {
  __shared__ int sum;
  if (TID == 0) {
    sum = 0;  // there
    atomicAdd(&sum, data[0]);
  }
  if (TID >= 64) atomicAdd(&sum, data[1]);  // here
  __syncthreads();
  out[GLOBAL] = sum;
}
__global__ void clean_set_and_published_before_the_atomics(int* data, int* out) {
  if (TID != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 0;
    __threadfence();
    atomicExch(&data[1], -7);
  } else {
    while (atomicAdd(&data[1], 0) != -7) {
    }
    __threadfence();
  }
  atomicAdd(&data[0], 1);
}
// Waits for a block that may run on no multiprocessor yet, which hardware forbids too; here blocks run in
// order.
__global__ void clean_volatile_flag(int* data, int* out) {
  volatile int* seen = &flag;
  if (TID != 0) return;
  if (blockIdx.x == 0) {
    out[0] = data[0];
    __threadfence();
    *seen = 1;
  } else if (*seen == 1) {
    __threadfence();
    out[blockIdx.x] = out[0];
  }
}
