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
  // <solution> TODO: each thread computes the distance of one of 128 rows and writes it to shared
  // <solution> memory.
  // <solution> TODO: does any thread's row belong in the list? __syncthreads_or tells all threads.
  // <solution> TODO: if so, one thread inserts. When may the others continue?
  // <stub> (void)work, (void)rows, (void)row_stride, (void)dim_stride;  // delete this line
  __shared__ float batch[kSearchThreads];
  __shared__ NearestList list;
  const float* query = task.queries + q * task.dims;
  if (threadIdx.x == 0) list = {work.distances + q * task.k, work.nearest + q * task.k, 1, task.k, 0};
  for (std::size_t first = 0; first < task.row_count; first += kSearchThreads) {
    const std::size_t row = first + threadIdx.x;
    const bool has_row = row < task.row_count;
    float sum = 0;
    for (std::size_t d = 0; has_row && d < task.dims; ++d) {
      const float difference = rows[row * row_stride + d * dim_stride] - query[d];
      sum += difference * difference;
    }
    batch[threadIdx.x] = sum;
    __syncthreads();  // the inserts of the previous batch are complete
    if (!__syncthreads_or(has_row && list.takes(sum))) continue;
    if (threadIdx.x == 0) {
      const std::size_t left = task.row_count - first;
      for (unsigned i = 0; i < kSearchThreads && i < left; ++i) {
        if (list.takes(batch[i])) list.insert(batch[i], static_cast<unsigned>(first + i));
      }
    }
    __syncthreads();  // now batch[] may be overwritten
  }
  if (threadIdx.x != 0) return;
  const auto labels = static_cast<std::size_t>(task.label_count);
  task.answers[q] = majority(task, list.rows, list.stride, work.votes + q * labels);
  // </solution>
}
