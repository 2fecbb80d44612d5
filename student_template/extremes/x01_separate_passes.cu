// What changes: nothing yet. A tree for the least, another one for the greatest, then a search for both.
// What that cures: nothing yet; but each kernel is simple, and two of them are `reduction` with min and max.
// What still hurts: the values are read three times, and both trees divide by 2 * s.
// What to expect: the right extremes, and the baseline of every speedup.
//
// This version is given complete, as the worked example. The others have the same shape: kernels, and a
// launcher of the file's name that queues them.
#include "extremes.h"
#include "no_value.h"

constexpr unsigned kThreads = 256;  // threads in a block: a power of two, because the tree halves it

// Returns the better of two values. `mine` is a number; if `other` is NaN, the comparison is false and `mine`
// stays.
template <bool kGreatest>
__device__ value_t better(value_t mine, value_t other) {
  if (kGreatest) return other > mine ? other : mine;
  return other < mine ? other : mine;
}

// Writes the extreme of the block's values to partial[blockIdx.x].
template <bool kGreatest>
__global__ void tree(const value_t* values, std::size_t n, value_t* partial) {
  __shared__ value_t shared[kThreads];
  const unsigned tid = threadIdx.x;
  // 64 bits: blockIdx.x * blockDim.x alone is 32 bits wide and wraps around for a large n.
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
  const value_t nothing = kGreatest ? kGreatestOfNothing : kLeastOfNothing;
  // Threads past the end do not return: all threads of a block must reach every __syncthreads.
  shared[tid] = i < n ? better<kGreatest>(nothing, values[i]) : nothing;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) shared[tid] = better<kGreatest>(shared[tid], shared[tid + s]);
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = shared[0];
}

// Writes the extreme of n values to *extreme; `room` holds partial results.
template <bool kGreatest>
void find(const value_t* values, std::size_t n, value_t* extreme, value_t* room, cudaStream_t stream) {
  while (true) {
    // At least one block, so that the extreme is written even for n = 0.
    const std::size_t blocks = n == 0 ? 1 : (n + kThreads - 1) / kThreads;
    value_t* target = blocks == 1 ? extreme : room;
    tree<kGreatest><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, target);
    if (blocks == 1) return;
    values = room;  // the next pass reads these; its own results go behind them
    n = blocks;
    room += blocks;
  }
}

__global__ void forget_positions(Extremes* extremes, std::size_t n) {
  extremes->least_at = n;
  extremes->greatest_at = n;
}

// Finds the positions of the known extremes. atomicMin keeps the lowest position.
__global__ void find_positions(const value_t* values, std::size_t n, Extremes* extremes) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (values[i] == extremes->least) atomicMin(&extremes->least_at, static_cast<unsigned long long>(i));
  if (values[i] == extremes->greatest) atomicMin(&extremes->greatest_at, static_cast<unsigned long long>(i));
}

extern "C" void x01_separate_passes(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                                    cudaStream_t stream) {
  value_t* room = reinterpret_cast<value_t*>(work.data);
  // Kernels on one stream run one after the other, so all of them may use the same room. The host may compute
  // the addresses of the members, but only kernels may read them.
  find<false>(values, n, &extremes->least, room, stream);
  find<true>(values, n, &extremes->greatest, room, stream);
  forget_positions<<<1, 1, 0, stream>>>(extremes, n);
  if (n == 0) return;  // an empty grid is an error in CUDA
  const std::size_t blocks = (n + kThreads - 1) / kThreads;
  find_positions<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, extremes);
}
