// The search of one query by a whole block.
#pragma once
#include "knn.h"
#include "nearest_list.h"

constexpr unsigned kSearchThreads = 128;

// Block b classifies query b. Value d of row r lies at rows[r * row_stride + d * dim_stride].
// only: a number a query, or nullptr; queries with a number up to `above` are left alone.
static __global__ void block_per_query(const Classification task, const Workspace work, const float* rows,
                                       std::size_t row_stride, std::size_t dim_stride, const unsigned* only,
                                       unsigned above) {
  const std::size_t q = blockIdx.x;
  if (only != nullptr && only[q] <= above) return;  // the whole block
  // TODO: each thread computes the distance of one row of 128; the threads' distances meet in shared
  // memory.
  // TODO: does any thread's row have a place in the list? __syncthreads_or says it to all.
  // TODO: if so, one thread inserts. Who may go on, and when?
  (void)work, (void)rows, (void)row_stride, (void)dim_stride;  // delete this line
}
