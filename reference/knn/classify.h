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
  // <solution> TODO: as k01, for these queries. What may threads share, and what must each have for itself?
  // <stub> (void)task, (void)begin, (void)end;  // delete this line: it only quiets the compiler
  std::vector<Neighbour> nearest;
  std::vector<int> votes(static_cast<std::size_t>(task.label_count));
  nearest.reserve(task.k + 1);
  for (std::size_t query = begin; query < end; ++query) {
    nearest.clear();
    for (std::size_t row = 0; row < task.row_count; ++row) {
      float sum = 0;
      for (std::size_t d = 0; d < task.dims; ++d) {
        const float difference = task.rows[row * task.dims + d] - task.queries[query * task.dims + d];
        sum += difference * difference;
      }
      if (nearest.size() == task.k && sum >= nearest.back().distance) continue;
      // Insert behind rows at the same distance: their indices are lower.
      const auto place =
          std::upper_bound(nearest.begin(), nearest.end(), sum,
                           [](float value, const Neighbour& each) { return value < each.distance; });
      nearest.insert(place, {sum, row});
      if (nearest.size() > task.k) nearest.pop_back();
    }
    std::fill(votes.begin(), votes.end(), 0);
    for (const Neighbour& each : nearest) ++votes[static_cast<std::size_t>(task.labels[each.row])];
    // max_element returns the first maximum: if votes are equal, the lower label wins.
    task.answers[query] = static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin());
  }
  // </solution>
}
