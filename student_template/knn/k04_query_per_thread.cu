// What changes: runs on the GPU: each thread classifies one query, row after row, as the CPU does.
// What that cures: one query after the other: all queries are classified at the same time.
// What still hurts: every thread reads all rows from memory, and its query again for each row.
// What to expect: the baseline of every speedup (H200, 2^20 rows of 16, 4096 queries, k = 8: 983 ms).
#include "knn.h"
#include "nearest_list.h"

constexpr unsigned kThreads = 128;

__global__ void query_per_thread(const Classification task, const Workspace work) {
  // TODO: which query does this thread classify? Has every thread of the last block one?
  // TODO: compute the squared distance to each row, keep the list of the nearest, then vote.
  (void)task, (void)work;  // delete this line: it only quiets the compiler
}

extern "C" void k04_query_per_thread(Classification task, Workspace work, cudaStream_t stream) {
  // TODO: launch one thread per query.
  (void)task, (void)work, (void)stream, (void)kThreads;  // delete this line, too
}
