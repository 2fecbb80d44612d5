// Kernels for idioms_test.cpp: ways of working together over memory that are right, and are to stay without a
// complaint in every run. Each gets n values, one word that begins as 0, and room for a value a block; the sum of
// the values comes out of `sum`.
#include <cuda_runtime.h>

__device__ unsigned ticket;
__device__ unsigned arrived;
__device__ volatile unsigned phase;
__device__ int lock;
__device__ volatile int flags[64];
__device__ volatile int prefixes[64];

__device__ int block_sum(const int* values) {
  __shared__ int shared[64];
  const unsigned tid = threadIdx.x;
  shared[tid] = values[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = 32; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  return shared[0];
}

__global__ void last_block_resets_its_ticket(const int* values, int* sum, int* partial) {
  __shared__ bool last;
  const int mine = block_sum(values);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  __threadfence();
  int all = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) all += partial[k];
  *sum = all;
  ticket = 0;
}

__global__ void ticket_that_wraps(const int* values, int* sum, int* partial) {
  __shared__ unsigned mine;
  const int of_block = block_sum(values);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = of_block;
    __threadfence();
    mine = atomicInc(&ticket, gridDim.x - 1);
  }
  __syncthreads();
  if (mine != gridDim.x - 1 || threadIdx.x != 0) return;
  int all = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) all += partial[k];
  *sum = all;
}

__device__ void add_by_swap(int* target, int value) {
  int old = *target;
  int assumed;
  do {
    assumed = old;
    old = atomicCAS(target, assumed, assumed + value);
  } while (assumed != old);
}
__global__ void compare_and_swap_loop(const int* values, int* sum, int* partial) {
  add_by_swap(sum, values[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void spin_lock(const int* values, int* sum, int* partial) {
  const int mine = block_sum(values);
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += mine;
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void decoupled_look_back(const int* values, int* sum, int* partial) {
  __shared__ unsigned turn;
  if (threadIdx.x == 0) turn = atomicAdd(&ticket, 1u);
  const int mine = block_sum(values);
  if (threadIdx.x != 0) return;
  int before = 0;
  if (turn > 0) {
    while (flags[turn - 1] == 0) {
    }
    __threadfence();
    before = prefixes[turn - 1];
  }
  prefixes[turn] = before + mine;
  __threadfence();
  flags[turn] = 1;
  if (turn == gridDim.x - 1) {
    *sum = before + mine;
    for (unsigned k = 0; k + 1 < gridDim.x; ++k) flags[k] = 0;
    flags[turn] = 0;
    ticket = 0;
  }
}

__global__ void grid_barrier_of_its_own(const int* values, int* sum, int* partial) {
  const unsigned before = phase;
  const int mine = block_sum(values);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      phase = before + 1;
    } else {
      while (phase == before) {
      }
    }
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  int all = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) all += partial[k];
  *sum = all;
}

__global__ void warp_aggregated_atomics(const int* values, int* sum, int* partial) {
  int mine = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int s = 16; s > 0; s /= 2) mine += __shfl_down_sync(0xffffffffu, mine, s);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

__global__ void same_value_by_all(const int* values, int* sum, int* partial) {
  partial[0] = 7;
  atomicAdd(sum, values[blockIdx.x * blockDim.x + threadIdx.x]);
}

// What is found in these is to be named as they name it: see Named in idioms_test.cpp.

struct Work {
  unsigned long bytes;
  int* data;
};
__device__ __forceinline__ void add_inlined(int* address, int value) { *address += value; }
__device__ void add_called(int* address, int value) { *address += value; }

__global__ void inlined(const int* values, int* sum, Work work) { add_inlined(sum, values[threadIdx.x]); }
__global__ void called(const int* values, int* sum, Work work) { add_called(sum, values[threadIdx.x]); }
__global__ void member(const int* values, int* sum, Work work) { work.data[1] = values[threadIdx.x]; }
