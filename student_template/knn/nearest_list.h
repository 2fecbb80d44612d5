// The k nearest rows that have been found so far, and their vote.
#pragma once
#include "knn.h"

// A list in device memory, from the nearest row to the farthest. Place i lies at [i * stride]. Rows are
// offered in ascending order, so that of two at the same distance the lower one is there first.
struct NearestList {
  float* distances;
  unsigned* rows;
  std::size_t stride;
  std::size_t k;
  std::size_t found;  // 0 at first, k in the end

  // Whether a row at this distance has a place in the list.
  __device__ bool takes(float distance) const {
    // TODO: what if the list is not full yet, and what if its last row is exactly as far away?
    return distance < 0;
  }

  // Only what it takes.
  __device__ void insert(float distance, unsigned row) {
    // TODO: move the farther ones up by one place, from the end of the list; the last of a full
    // list drops out.
    (void)distance, (void)row;  // delete this line: it only quiets the compiler
  }
};

// The label with the most votes of the k rows in the list, the lowest of those with as many. `votes` has room
// for a number of each label.
__device__ inline int majority(const Classification& task, const unsigned* rows, std::size_t stride,
                               int* votes) {
  // TODO: set all votes to zero, count those of the k rows, look for the largest number.
  (void)task, (void)rows, (void)stride, (void)votes;
  return 0;
}
