// k02_threaded and k03_mpi: what one core does with its share of the queries.
#pragma once
#include <algorithm>
#include <vector>

#include "knn.h"

struct Neighbour {
  float distance;  // squared: the order is the same without the root
  std::size_t row;
};

// Writes the label of each query from `begin` up to, but without, `end`.
inline void classify(const Classification& task, std::size_t begin, std::size_t end) {
  // TODO: as k01, for these queries. What may two threads share, and what needs each for itself?
  (void)task, (void)begin, (void)end;  // delete this line: it only quiets the compiler
}
