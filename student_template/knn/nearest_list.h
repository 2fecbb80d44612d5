// The k nearest rows found so far, and their vote.
#pragma once
#include "knn.h"

// A list in device memory, sorted from the nearest row to the farthest. Entry i is at [i * stride]. Rows are
// offered in ascending order, so of two rows at the same distance the lower one comes first.
struct NearestList {
  float* distances;
  unsigned* rows;
  std::size_t stride;
  std::size_t k;
  std::size_t found;  // 0 at first, k in the end

  // Returns true if a row at this distance belongs in the list.
  __device__ bool takes(float distance) const {
    // TODO: what if the list is not full yet? What if its last row is at the same distance?
    return distance < 0;
  }

  // Call only if takes() returns true for this distance.
  __device__ void insert(float distance, unsigned row) {
    // TODO: move the farther rows up by one place, from the end of the list; the last row of a full
    // list drops out.
    (void)distance, (void)row;  // delete this line: it only quiets the compiler
  }
};

// Returns the label with the most votes of the k rows in the list; if there are several, the lowest. `votes`
// has one element per label.
__device__ inline int majority(const Classification& task, const unsigned* rows, std::size_t stride,
                               int* votes) {
  // TODO: set all votes to zero, count the votes of the k rows, find the maximum.
  (void)task, (void)rows, (void)stride, (void)votes;
  return 0;
}
