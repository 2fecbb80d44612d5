// Classifies one query with a whole block.
#pragma once
#include "knn.h"
#include "nearest_list.h"

constexpr unsigned kSearchThreads = 128;

// Block b classifies query b. Value d of row r is rows[r * row_stride + d * dim_stride].
// only: one number per query, or nullptr; queries whose number is at most `above` are skipped.
static __global__ void block_per_query(const Classification task, const Workspace work, const float* rows,
                                       std::size_t row_stride, std::size_t dim_stride, const unsigned* only,
                                       unsigned above) {
  const std::size_t q = blockIdx.x;
  if (only != nullptr && only[q] <= above) return;  // the whole block returns
  // TODO: each thread computes the distance of one of 128 rows and writes it to shared
  // memory.
  // TODO: does any thread's row belong in the list? __syncthreads_or tells all threads.
  // TODO: if so, one thread inserts. When may the others continue?
  (void)work, (void)rows, (void)row_stride, (void)dim_stride;  // delete this line
}
