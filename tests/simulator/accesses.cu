// Kernels for access_test.cpp. What has to be found stands in a kernel's name: the kind of the one finding,
// or `clean` for none. `// here` marks the finding's line and `// there` its other line. Each runs as 4
// blocks of 128 threads; data holds 4096 ints written by the host, out 4096 that nobody has written.
#include <cuda_runtime.h>

#define TID static_cast<int>(threadIdx.x)
#define GLOBAL static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)

// Within a block.

__global__ void race_missing_barrier(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];       // there
  out[GLOBAL] = shared[127 - TID];  // here
}
__global__ void clean_with_the_barrier(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];
  __syncthreads();
  out[GLOBAL] = shared[127 - TID];
}
__global__ void race_missing_second_barrier(int* data, int* out) {
  __shared__ int shared[128];
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    shared[TID] = data[GLOBAL + k];  // there
    __syncthreads();
    sum += shared[127 - TID];  // here
  }
  out[GLOBAL] = sum;
}
__global__ void race_of_two_warps_that_write(int* data, int* out) {
  __shared__ int shared[128];
  if (TID % 32 == 0) shared[0] = data[GLOBAL];  // here there
  __syncthreads();
  if (TID == 0) out[GLOBAL] = shared[0];
}
__global__ void race_of_an_atomic_with_a_read(int* data, int* out) {
  __shared__ int sum;
  if (TID == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, data[GLOBAL]);  // there
  out[GLOBAL] = sum;              // here
}
__global__ void clean_atomics_between_barriers(int* data, int* out) {
  __shared__ int sum;
  if (TID == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, data[GLOBAL]);
  __syncthreads();
  out[GLOBAL] = sum;
}
__global__ void race_that_volatile_does_not_cure(int* data, int* out) {
  __shared__ volatile int shared[128];
  shared[TID] = data[GLOBAL];       // there
  out[GLOBAL] = shared[127 - TID];  // here
}
__global__ void race_in_global_memory_of_a_block(int* data, int* out) {
  out[GLOBAL] = data[GLOBAL];                    // there
  data[GLOBAL] = out[GLOBAL - TID + 127 - TID];  // here
}
__global__ void clean_exchange_in_global_memory(int* data, int* out) {
  out[GLOBAL] = data[GLOBAL];
  __syncthreads();
  data[GLOBAL] = out[GLOBAL - TID + 127 - TID];
}
__global__ void clean_tree(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (TID < s) shared[TID] += shared[TID + s];
    __syncthreads();
  }
  if (TID == 0) out[blockIdx.x] = shared[0];
}
__global__ void clean_lock_of_a_block(int* data, int* out) {
  __shared__ int lock, sum;
  if (TID == 0) lock = sum = 0;
  __syncthreads();
  if (TID % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    sum += data[GLOBAL];
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  out[GLOBAL] = sum;
}

__global__ void clean_flag_of_a_block_with_fences(int* data, int* out) {
  __shared__ volatile int value, full;
  if (TID == 0) full = 0;
  __syncthreads();
  if (TID == 0) {
    value = data[GLOBAL];
    __threadfence_block();
    full = 1;
  } else if (TID == 32) {
    while (full == 0) {
    }
    __threadfence_block();
    out[blockIdx.x] = value;
  }
}

// Within a warp.

__global__ void warp_synchronous_tail(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];
  __syncthreads();
  if (TID >= 32) return;
  int mine = shared[TID] + shared[TID + 32];
  shared[TID] = mine;               // there
  mine += shared[(TID + 16) % 32];  // here
  if (TID == 0) out[blockIdx.x] = mine;
}
__global__ void warp_synchronous_volatile_tail(int* data, int* out) {
  __shared__ volatile int shared[128];
  shared[TID] = data[GLOBAL];
  __syncthreads();
  if (TID >= 32) return;
  shared[TID] = data[0];                     // there
  const int mine = shared[(TID + 16) % 32];  // here
  if (TID == 0) out[blockIdx.x] = mine;
}
__global__ void clean_tail_with_syncwarp(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];
  __syncthreads();
  if (TID >= 32) return;
  int mine = shared[TID] + shared[TID + 32];
  __syncwarp();
  shared[TID] = mine;
  __syncwarp();
  mine += shared[(TID + 16) % 32];
  if (TID == 0) out[blockIdx.x] = mine;
}
__global__ void warp_synchronous_after_the_other_half_waited(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];  // there
  if (TID % 32 < 16) __syncwarp(0x0000ffff);
  if (TID % 32 >= 16) out[GLOBAL] = shared[TID - 16];  // here
}
__global__ void same_word_store_of_a_warp(int* data, int* out) {
  if (TID < 32) out[blockIdx.x] = data[GLOBAL];  // here
}
__global__ void same_word_store_of_two_lanes(int* data, int* out) {
  if (TID < 32) out[blockIdx.x * 64 + (TID == 31 ? 5 : TID)] = data[GLOBAL];  // here
}
__global__ void clean_store_of_one_lane(int* data, int* out) {
  if (TID == 7) out[blockIdx.x] = data[GLOBAL];
}

// Words that several lanes of a warp touch.

__device__ unsigned half_of_the_warp() {
  return threadIdx.x % 32 < 16 ? 0x0000ffffU : 0xffff0000U;
}

__global__ void race_of_atomics_with_a_read_in_one_warp(int* data, int* out) {
  __shared__ int sum;
  if (TID == 0) sum = 0;
  __syncthreads();
  if (TID >= 32) return;
  atomicAdd(&sum, data[GLOBAL]);    // there
  if (TID == 0) out[GLOBAL] = sum;  // here
}
__global__ void clean_atomics_and_a_read_in_one_warp(int* data, int* out) {
  __shared__ int sum;
  if (TID == 0) sum = 0;
  __syncthreads();
  if (TID >= 32) return;
  atomicAdd(&sum, data[GLOBAL]);
  __syncwarp();
  if (TID == 0) out[GLOBAL] = sum;
}
__global__ void clean_halves_of_warps_with_a_word_each(int* data, int* out) {
  __shared__ int words[8];
  int& word = words[TID / 16];
  if (TID % 16 == 0) word = data[TID / 16];
  __syncwarp(half_of_the_warp());
  for (int k = 0; k < 3; ++k) {
    out[GLOBAL] = word;
    __syncwarp(half_of_the_warp());
    if (TID % 16 == k) word = k;
    __syncwarp(half_of_the_warp());
    atomicAdd(&word, 1);
    __syncwarp(half_of_the_warp());
  }
}
__global__ void warp_synchronous_word_of_both_halves(int* data, int* out) {
  __shared__ int words[4];
  int& word = words[TID / 32];
  __syncwarp(half_of_the_warp());
  if (TID % 32 == 0) word = data[TID / 32];
  __syncwarp();
  out[GLOBAL] = word;  // here
  __syncwarp(half_of_the_warp());
  if (TID % 32 == 0) word = 1;  // there
}
__global__ void warp_synchronous_word_read_before_halves_meet(int* data, int* out) {
  __shared__ int word;
  if (TID == 0) word = data[blockIdx.x];
  __syncthreads();
  if (blockIdx.x != 0 || TID >= 32) return;
  out[GLOBAL] = word;  // here
  __syncwarp(half_of_the_warp());
  if (TID == 0) word = 1;  // there
}
__global__ void warp_synchronous_word_set_in_one_half(int* data, int* out) {
  __shared__ int words[4];
  int& word = words[TID / 32];
  if (TID % 32 == 5) word = data[TID / 32];  // there
  __syncwarp(half_of_the_warp());
  out[GLOBAL] = word;  // here
}

// What nobody wrote.

__global__ void uninitialised_read_of_shared(int* data, int* out) {
  __shared__ int shared[128];
  if (TID != 5) shared[TID] = data[GLOBAL];
  __syncthreads();
  out[GLOBAL] = shared[TID];  // here
}
__global__ void uninitialised_read_of_global(int* data, int* out) {
  data[GLOBAL] = out[GLOBAL];  // here
}
__global__ void uninitialised_read_by_an_atomic(int* data, int* out) {
  __shared__ int sum;
  atomicAdd(&sum, data[GLOBAL]);  // here
  __syncthreads();
  if (TID == 0) out[blockIdx.x] = sum;
}
__global__ void clean_exchange_of_what_nobody_wrote(int* data, int* out) {
  if (TID == 0) atomicExch(&out[blockIdx.x], data[GLOBAL]);
}

// Between two arrays.

__global__ void out_of_bounds_into_the_next_array(int* data, int* out) {
  __shared__ int first[128];
  __shared__ int second[128];
  first[TID] = data[GLOBAL];
  second[TID] = data[GLOBAL];
  __syncthreads();
  out[GLOBAL] = first[TID + 1] + second[TID];  // here
}

// Narrow and wide.

__global__ void clean_bytes_side_by_side(int* data, int* out) {
  __shared__ unsigned char shared[128];
  shared[TID] = static_cast<unsigned char>(data[GLOBAL]);
  reinterpret_cast<unsigned char*>(out)[GLOBAL] = shared[TID];
}
__global__ void race_of_bytes(int* data, int* out) {
  __shared__ unsigned char shared[128];
  shared[TID] = static_cast<unsigned char>(data[GLOBAL]);  // there
  out[GLOBAL] = shared[127 - TID];                         // here
}
__global__ void clean_vectors(int* data, int* out) {
  __shared__ int4 shared[128];
  shared[TID] = reinterpret_cast<int4*>(data)[GLOBAL];
  reinterpret_cast<int4*>(out)[GLOBAL] = shared[TID];
  __syncwarp();
  out[4 * GLOBAL] = shared[TID ^ 1].x;
}
__global__ void race_of_wide_values(int* data, int* out) {
  reinterpret_cast<long long*>(out)[GLOBAL] = reinterpret_cast<long long*>(data)[GLOBAL];  // there
  data[2048 + GLOBAL] = out[2 * (GLOBAL - TID) + 255 - TID];                               // here
}

// Read by tests of their own.

__global__ void update_by_all_threads(int* data, int* out) {
  __shared__ int sum[1];
  if (TID == 0) sum[0] = 0;
  __syncthreads();
  sum[0] = sum[0] + data[GLOBAL];
  __syncthreads();
  out[GLOBAL] = sum[0];
}
__global__ void strided_tree_without_barriers(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];
  __syncthreads();
  for (int s = 1; s < 128; s *= 2) {
    const int index = 2 * s * TID;
    if (index < 128) shared[index] += shared[index + s];
  }
  if (TID == 0) out[blockIdx.x] = shared[0];
}
__global__ void array_of_each_thread(int* data, int* out) {
  int mine[128];
  mine[TID] = data[GLOBAL];
  out[GLOBAL] = mine[127 - TID];
}
__global__ void array_of_each_thread_that_is_set(int* data, int* out) {
  int mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = data[GLOBAL + k];
  out[GLOBAL] = mine[TID % 4];
}
__device__ void store_at(int* out, int index, int value) {
  out[index] = value;
}
__global__ void helper_past_the_end(int* data, int* out) {
  store_at(out, GLOBAL + 4096, data[GLOBAL]);
}
__global__ void helper_races_with_the_kernel(int* data, int* out) {
  if (TID == 127) out[0] = data[GLOBAL];
  store_at(out, TID, TID);
}

// What volatile, scopes, fences and masks are worth.

__device__ int guard;
__device__ volatile int plain_guard;

__global__ void missing_fence_behind_a_lock(int* data, int* out) {
  if (TID != 0) return;
  while (atomicCAS(&guard, 0, 1) != 0) {
  }
  data[0] += 1;  // here there
  __threadfence();
  atomicExch(&guard, 0);
}
__global__ void clean_lock_given_back_by_a_volatile_store(int* data, int* out) {
  if (TID != 0) return;
  while (atomicCAS(const_cast<int*>(&plain_guard), 0, 1) != 0) {
  }
  __threadfence();
  data[0] += 1;
  __threadfence();
  plain_guard = 0;
}
__global__ void race_of_volatile_increments(int* data, int* out) {
  volatile int* counter = data;
  if (TID == 0) *counter = *counter + 1;  // here there
}
__global__ void race_of_volatile_stores(int* data, int* out) {
  volatile int* element = data;
  if (TID == 0) *element = static_cast<int>(blockIdx.x);  // here there
}
__global__ void race_of_atomics_of_the_block(int* data, int* out) {
  if (TID == 0) atomicAdd_block(data, 1);  // here there
}
__global__ void clean_atomics_of_the_block(int* data, int* out) {
  atomicAdd_block(data + blockIdx.x, 1);
}
__global__ void warp_synchronous_halves(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];  // there
  __syncwarp(TID % 32 < 16 ? 0x0000ffffu : 0xffff0000u);
  out[GLOBAL] = shared[TID ^ 16];  // here
}
__global__ void clean_halves_that_meet(int* data, int* out) {
  __shared__ int shared[128];
  shared[TID] = data[GLOBAL];
  __syncwarp(TID % 32 < 16 ? 0x0000ffffu : 0xffff0000u);
  __syncwarp(0xffffffffu);
  out[GLOBAL] = shared[TID ^ 16];
}
__global__ void race_after_five_thousand_barriers(int* data, int* out) {
  for (int k = 0; k < 5000; ++k) {
    out[GLOBAL] = k;  // there
    if (k < 4999) __syncthreads();
  }
  data[GLOBAL] = out[GLOBAL ^ 127];  // here
}
__global__ void race_of_bytes_in_one_word(int* data, int* out) {
  char* bytes = reinterpret_cast<char*>(data);
  if (TID == 0) bytes[blockIdx.x] = 1;                      // there
  if (TID == 1) out[GLOBAL] = bytes[(blockIdx.x + 1) % 4];  // here
}
