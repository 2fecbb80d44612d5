#include "include/tree.cuh"
#include "my helpers.h"
#include "reduction.h"

static const int kThreads = 96;

static __global__ void pass(const value_t* values, size_t n, value_t* partial) {
  extern __shared__ unsigned char bytes[];
  value_t* shared = reinterpret_cast<value_t*>(bytes);
  const size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  shared[threadIdx.x] = i < n ? values[i] : value_t(0);
  tree(shared);
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}

void v07_tree_sequential(const value_t* values, size_t n, value_t* sum, Workspace work, cudaStream_t stream) {
  value_t* out = work.data;
  for (;;) {
    const unsigned blocks = blocks_for(n, kThreads);
    if (blocks == 1) out = sum;
    pass<<<blocks, kThreads, kThreads * sizeof(value_t), stream>>>(values, n, out);
    if (blocks == 1) break;
    values = out;
    out += blocks;
    n = blocks;
  }
}
