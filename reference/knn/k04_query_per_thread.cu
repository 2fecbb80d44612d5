// What changes: runs on the GPU: each thread classifies one query, row after row, as the CPU does.
// What that cures: one query after the other: all queries are classified at the same time.
// What still hurts: every thread reads all rows from memory, and its query again for each row.
// What to expect: the baseline of every speedup (H200, 2^20 rows of 16, 4096 queries, k = 8: 983 ms).
#include "knn.h"
#include "nearest_list.h"

constexpr unsigned kThreads = 128;

__global__ void query_per_thread(const Classification task, const Workspace work) {
  // <solution> TODO: which query does this thread classify? Has every thread of the last block one?
  // <solution> TODO: compute the squared distance to each row, keep the list of the nearest, then vote.
  // <stub> (void)task, (void)work;  // delete this line: it only quiets the compiler
  const std::size_t q = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (q >= task.query_count) return;
  const float* query = task.queries + q * task.dims;
  NearestList list{work.distances + q * task.k, work.nearest + q * task.k, 1, task.k, 0};
  for (std::size_t row = 0; row < task.row_count; ++row) {
    float sum = 0;
    for (std::size_t d = 0; d < task.dims; ++d) {
      const float difference = task.rows[row * task.dims + d] - query[d];
      sum += difference * difference;
    }
    // No square root: it does not change the order.
    if (list.takes(sum)) list.insert(sum, static_cast<unsigned>(row));
  }
  const auto labels = static_cast<std::size_t>(task.label_count);
  task.answers[q] = majority(task, list.rows, list.stride, work.votes + q * labels);
  // </solution>
}

extern "C" void k04_query_per_thread(Classification task, Workspace work, cudaStream_t stream) {
  // <solution> TODO: launch one thread per query.
  // <stub> (void)task, (void)work, (void)stream, (void)kThreads;  // delete this line, too
  if (task.query_count == 0) return;  // an empty grid is an error in CUDA
  const std::size_t blocks = (task.query_count + kThreads - 1) / kThreads;
  query_per_thread<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(task, work);
  // </solution>
}
