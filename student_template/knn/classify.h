// For k02_threaded and k03_mpi: one core classifies its share of the queries.
#pragma once
#include <algorithm>
#include <vector>

#include "knn.h"

struct Neighbour {
  float distance;  // squared: the square root does not change the order
  std::size_t row;
};

// Writes the labels of the queries [begin, end).
inline void classify(const Classification& task, std::size_t begin, std::size_t end) {
  // TODO: as k01, for these queries. What may threads share, and what must each have for itself?
  (void)task, (void)begin, (void)end;  // delete this line: it only quiets the compiler
}
