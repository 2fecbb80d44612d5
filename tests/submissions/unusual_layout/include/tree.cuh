#pragma once

// Adds up shared[0..blockDim.x) into shared[0], for any block size: an odd one leaves its middle value for later.
template <class T>
__device__ void tree(T* shared) {
  for (unsigned left = blockDim.x; left > 1; left = (left + 1) / 2) {
    const unsigned half = (left + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < left) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  __syncthreads();
}
