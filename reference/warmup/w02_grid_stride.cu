// What changes: the grid has a fixed size, and every thread takes further values, one whole grid apart.
// What that cures: n no longer decides the grid: any n works with any grid, and each thread starts once.
// What still hurts: nothing that matters here: memory is the limit.
// What to expect: slightly faster than w01 (H200, 2^26 ints: 0.19 ms), with far fewer blocks.
#include "warmup.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

__global__ void grid_stride(value_t* values, std::size_t n, value_t p) {
  // <solution> TODO: start at this thread's index in the grid; advance by the number of threads in the grid.
  // <stub> (void)values, (void)n, (void)p;  // delete this line: it only quiets the compiler
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  // At each step the 32 lanes of a warp touch 32 neighbouring values: a few whole sectors, nothing wasted.
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) values[i] += p;
  // </solution>
}

extern "C" void w02_grid_stride(value_t* values, std::size_t n, value_t p, cudaStream_t stream) {
  // <solution> TODO: launch kBlocksPerMultiprocessor blocks for each multiprocessor of the GPU
  // <solution> (cudaDeviceGetAttribute with cudaDevAttrMultiProcessorCount), on the stream.
  // <stub> (void)values, (void)n, (void)p, (void)stream, (void)kThreads, (void)kBlocksPerMultiprocessor;
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const unsigned blocks = kBlocksPerMultiprocessor * static_cast<unsigned>(multiprocessors);
  grid_stride<<<blocks, kThreads, 0, stream>>>(values, n, p);
  // </solution>
}
