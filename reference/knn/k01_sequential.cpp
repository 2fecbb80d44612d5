// What it does: one thread classifies query after query, and compares each with all rows.
// What that cures: nothing yet: it is the baseline of the CPU versions.
// What still hurts: one core works, the others wait.
// What to expect: the right labels, after rows x queries x dims subtractions in sequence.
//
// This version is given complete, as the worked example. k02 does the same with the queries divided among
// threads.
#include <vector>

#include "knn.h"

namespace {

struct Neighbour {
  float distance;  // squared: the square root does not change the order
  std::size_t row;
};

float squared_distance(const Classification& task, std::size_t row, std::size_t query) {
  float sum = 0;
  for (std::size_t d = 0; d < task.dims; ++d) {
    const float difference = task.rows[row * task.dims + d] - task.queries[query * task.dims + d];
    sum += difference * difference;
  }
  return sum;
}

// Inserts the row into the list of at most k nearest rows. Rows are offered in ascending order; a row goes
// behind those at the same distance: so the lower row counts as nearer.
void insert(std::vector<Neighbour>& nearest, std::size_t k, Neighbour added) {
  if (nearest.size() == k) {
    if (added.distance >= nearest.back().distance) return;
    nearest.pop_back();
  }
  auto place = nearest.end();
  while (place != nearest.begin() && (place - 1)->distance > added.distance) --place;
  nearest.insert(place, added);
}

// Returns the label with the most votes; if there are several, the lowest.
int majority(const Classification& task, const std::vector<Neighbour>& nearest) {
  std::vector<int> votes(static_cast<std::size_t>(task.label_count), 0);
  for (const Neighbour& each : nearest) ++votes[static_cast<std::size_t>(task.labels[each.row])];
  int best = 0;
  for (int label = 1; label < task.label_count; ++label) {
    if (votes[static_cast<std::size_t>(label)] > votes[static_cast<std::size_t>(best)]) best = label;
  }
  return best;
}

}  // namespace

extern "C" void k01_sequential(Classification task) {
  std::vector<Neighbour> nearest;
  nearest.reserve(task.k);
  for (std::size_t query = 0; query < task.query_count; ++query) {
    nearest.clear();
    for (std::size_t row = 0; row < task.row_count; ++row)
      insert(nearest, task.k, {squared_distance(task, row, query), row});
    task.answers[query] = majority(task, nearest);
  }
}
