// What changes: processes share the queries, but no memory: each receives a copy of all rows by message.
// What that cures: the limit of one machine: ranks may run on many, with their cores and memories.
// What still hurts: every rank needs all rows: they are sent to each rank before anything is computed.
// What to expect: the speed of k01 times nearly the number of ranks, minus the time of the messages.
#include <array>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "classify.h"

extern "C" void k03_mpi(Classification task) {
  // <solution> TODO: get rank and number of ranks. Only rank 0 knows the sizes: send them to the others.
  // <solution> TODO: allocate memory on the others; send each rank all rows and labels, and its share of the queries.
  // <solution> TODO: classify the own share, then send the answers to rank 0. Shares may differ in size.
  // <stub> classify(task, 0, task.query_count);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  std::array<std::uint64_t, 5> sizes{task.row_count, task.dims, task.query_count, task.k,
                                     static_cast<std::uint64_t>(task.label_count)};
  MPI_Bcast(sizes.data(), static_cast<int>(sizes.size()), MPI_UINT64_T, 0, MPI_COMM_WORLD);
  const auto [row_count, dims, query_count, k, label_count] = sizes;

  // Rank 0 has the data already.
  std::vector<float> rows(rank == 0 ? 0 : row_count * dims);
  std::vector<int> labels(rank == 0 ? 0 : row_count);
  float* all_rows = rank == 0 ? const_cast<float*>(task.rows) : rows.data();
  int* all_labels = rank == 0 ? const_cast<int*>(task.labels) : labels.data();
  MPI_Bcast(all_rows, static_cast<int>(row_count * dims), MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Bcast(all_labels, static_cast<int>(row_count), MPI_INT, 0, MPI_COMM_WORLD);

  // Rank r has the queries [begins[r], begins[r + 1]): the sizes of the shares differ by at most one.
  std::vector<int> begins;
  for (int r = 0; r <= ranks; ++r)
    begins.push_back(
        static_cast<int>(query_count * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks)));
  std::vector<int> counts, values, first_values;
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
    counts.push_back(begins[r + 1] - begins[r]);
    values.push_back(counts[r] * static_cast<int>(dims));
    first_values.push_back(begins[r] * static_cast<int>(dims));
  }
  const auto own = static_cast<std::size_t>(rank);
  std::vector<float> queries(static_cast<std::size_t>(values[own]));
  MPI_Scatterv(task.queries, values.data(), first_values.data(), MPI_FLOAT, queries.data(), values[own],
               MPI_FLOAT, 0, MPI_COMM_WORLD);

  std::vector<int> answers(static_cast<std::size_t>(counts[own]));
  const Classification share{.rows = all_rows,
                             .labels = all_labels,
                             .row_count = row_count,
                             .dims = dims,
                             .queries = queries.data(),
                             .query_count = answers.size(),
                             .k = k,
                             .label_count = static_cast<int>(label_count),
                             .answers = answers.data()};
  classify(share, 0, share.query_count);
  MPI_Gatherv(answers.data(), counts[own], MPI_INT, task.answers, counts.data(), begins.data(), MPI_INT, 0,
              MPI_COMM_WORLD);
  // </solution>
}
