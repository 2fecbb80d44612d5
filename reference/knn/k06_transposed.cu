// What changes: one block per query, one row per thread; the rows are transposed first, for the lanes.
// What that cures: an idle GPU when there are few queries; and lanes that read addresses far apart.
// What still hurts: all rows are read from memory for each query; one thread inserts while others wait.
// What to expect: 20 times the speed of k04 (H200, 2^20 rows of 16, 4096 queries, k = 8: 47 ms).
#include "block_per_query.h"
#include "knn.h"

constexpr unsigned kSide = 32;
constexpr unsigned kHigh = 8;  // blockDim.y: each thread moves 4 values

// turned[d * row_count + r] = rows[r * dims + d]
__global__ void turn(const Classification task, float* turned) {
  // <solution> TODO: coalesce both the reads of rows and the writes of turned: go through a tile of shared memory.
  // <stub> (void)task, (void)turned;  // delete this line: it only quiets the compiler
  __shared__ float tile[kSide][kSide + 1];  // padded by one: a column's elements are in different banks
  const std::size_t first_row = std::size_t{blockIdx.x} * kSide;
  const std::size_t first_dim = std::size_t{blockIdx.y} * kSide;
  for (unsigned y = threadIdx.y; y < kSide; y += kHigh) {
    const std::size_t d = first_dim + threadIdx.x;
    if (first_row + y < task.row_count && d < task.dims)
      tile[y][threadIdx.x] = task.rows[(first_row + y) * task.dims + d];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < kSide; y += kHigh) {
    const std::size_t r = first_row + threadIdx.x;
    if (r < task.row_count && first_dim + y < task.dims)
      turned[(first_dim + y) * task.row_count + r] = tile[threadIdx.x][y];
  }
  // </solution>
}

extern "C" void k06_transposed(Classification task, Workspace work, cudaStream_t stream) {
  // <solution> TODO: transpose all rows once, into work.turned; then launch one block per query.
  // <stub> (void)task, (void)work, (void)stream, (void)kSide, (void)kHigh;  // delete this line, too
  if (task.query_count == 0) return;
  const std::size_t across = (task.row_count + kSide - 1) / kSide;
  const std::size_t down = (task.dims + kSide - 1) / kSide;  // at most 32: a row has at most 1024 values
  turn<<<dim3(static_cast<unsigned>(across), static_cast<unsigned>(down)), dim3(kSide, kHigh), 0, stream>>>(
      task, work.turned);
  block_per_query<<<static_cast<unsigned>(task.query_count), kSearchThreads, 0, stream>>>(
      task, work, work.turned, 1, task.row_count, nullptr, 0);
  // </solution>
}
