// What changes: the GPU: a thread classifies one query, as the CPU does it, row after row.
// What that cures: waiting for the query before: all queries are classified at the same time.
// What still hurts: every thread reads all rows from memory, and its own query again for each of them.
// What to expect: the measure of every speedup (H200, 2^20 rows of 16, 4096 queries, k = 8: 983 ms).
#include "knn.h"
#include "nearest_list.h"

constexpr unsigned kThreads = 128;

__global__ void query_per_thread(const Classification task, const Workspace work) {
  // TODO: which query? Is there one for every thread of the last block?
  // TODO: the squared distance to each row, and the list of the nearest; then the vote.
  (void)task, (void)work;  // delete this line: it only quiets the compiler
}

extern "C" void k04_query_per_thread(Classification task, Workspace work, cudaStream_t stream) {
  // TODO: a grid with a thread for each query.
  (void)task, (void)work, (void)stream, (void)kThreads;  // delete this line, too
}
