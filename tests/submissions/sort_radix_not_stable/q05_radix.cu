#include "packed.h"

// A radix sort of one bit a pass, by one block: each thread finds its number's place by counting.
__global__ void pass(const Packed* from, Packed* to, std::size_t n, unsigned shift) {
  __shared__ unsigned next[2];
  for (unsigned digit = threadIdx.x; digit < 2; digit += blockDim.x) {
    next[digit] = 0;
    if (digit == 1) {
      for (std::size_t i = 0; i < n; ++i) next[1] += (from[i] >> shift & 1) == 0 ? 1 : 0;
    }
  }
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) {
    to[atomicAdd(&next[from[i] >> shift & 1], 1U)] = from[i];  // here: whoever comes first
  }
}

extern "C" void q05_radix(Pairs pairs, Workspace work, cudaStream_t stream) {
  if (pairs.n == 0) return;
  Packed* from = work.data;
  Packed* to = work.data + pairs.n;
  pack(pairs, from, pairs.n, stream);
  for (unsigned shift = 32; shift < 64; ++shift) {
    pass<<<1, 256, 0, stream>>>(from, to, pairs.n, shift);
    Packed* const moved = to;
    to = from;
    from = moved;
  }
  unpack(pairs, from, stream);
}
