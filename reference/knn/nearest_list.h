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
    // <solution> TODO: what if the list is not full yet? What if its last row is at the same distance?
    // <stub> return distance < 0;
    return found < k || distance < distances[(k - 1) * stride];
    // </solution>
  }

  // Call only if takes() returns true for this distance.
  __device__ void insert(float distance, unsigned row) {
    // <solution> TODO: move the farther rows up by one place, from the end of the list; the last row of a full
    // <solution> list drops out.
    // <stub> (void)distance, (void)row;  // delete this line: it only quiets the compiler
    std::size_t place = found < k ? found++ : k - 1;
    for (; place > 0 && distances[(place - 1) * stride] > distance; --place) {
      distances[place * stride] = distances[(place - 1) * stride];
      rows[place * stride] = rows[(place - 1) * stride];
    }
    distances[place * stride] = distance;
    rows[place * stride] = row;
    // </solution>
  }
};

// Returns the label with the most votes of the k rows in the list; if there are several, the lowest. `votes`
// has one element per label.
__device__ inline int majority(const Classification& task, const unsigned* rows, std::size_t stride,
                               int* votes) {
  // <solution> TODO: set all votes to zero, count the votes of the k rows, find the maximum.
  // <stub> (void)task, (void)rows, (void)stride, (void)votes;
  // <stub> return 0;
  for (int label = 0; label < task.label_count; ++label) votes[label] = 0;
  for (std::size_t i = 0; i < task.k; ++i) ++votes[task.labels[rows[i * stride]]];
  int best = 0;
  for (int label = 1; label < task.label_count; ++label) {
    if (votes[label] > votes[best]) best = label;  // not >=: if votes are equal, the lower label wins
  }
  return best;
  // </solution>
}
