// What changes: one rank per GPU. The ranks share the queries as in k03; each uses its GPU as k06 does.
// What that cures: the limit of one GPU: every further GPU takes a share of the queries.
// What still hurts: every call copies the data set from the first GPU to all the others.
// What to expect: 5 times the speed of k04 (two H200s, 2^16 rows of 16, 4096 queries), a third of k06's.
#include <array>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "block_per_query.h"
#include "knn.h"
// <solution> TODO: memory on this rank's GPU; copies from the GPU to the CPU and back.
#include "on_gpu.h"
// </solution>

extern "C" void k07_multi_gpu_mpi(Classification task, Workspace /*work*/, cudaStream_t stream) {
  // <solution> TODO: as k03, but MPI sends host memory: copy from the first GPU to its host, send, copy to the own GPU.
  // <solution> TODO: classify the own share with k06's kernel. Only rank 0 has a Workspace: what do the others use?
  // <solution> TODO: copy the answers to the host, send them to rank 0, and copy them to its GPU there.
  // <stub> (void)task, (void)stream, (void)kSearchThreads;
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::array<std::uint64_t, 5> sizes{task.row_count, task.dims, task.query_count, task.k,
                                     static_cast<std::uint64_t>(task.label_count)};
  MPI_Bcast(sizes.data(), static_cast<int>(sizes.size()), MPI_UINT64_T, 0, MPI_COMM_WORLD);
  const std::size_t row_count = sizes[0], dims = sizes[1], query_count = sizes[2], k = sizes[3];
  const auto label_count = static_cast<int>(sizes[4]);

  std::vector<float> rows(row_count * dims);
  std::vector<int> labels(row_count);
  std::vector<float> all_queries;
  if (rank == 0) {
    rows = from_gpu(task.rows, rows.size(), stream);
    labels = from_gpu(task.labels, labels.size(), stream);
    all_queries = from_gpu(task.queries, query_count * dims, stream);
  }
  MPI_Bcast(rows.data(), static_cast<int>(rows.size()), MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Bcast(labels.data(), static_cast<int>(labels.size()), MPI_INT, 0, MPI_COMM_WORLD);

  // Rank r has the queries [begins[r], begins[r + 1]).
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
  MPI_Scatterv(all_queries.data(), values.data(), first_values.data(), MPI_FLOAT, queries.data(), values[own],
               MPI_FLOAT, 0, MPI_COMM_WORLD);

  const auto count = static_cast<std::size_t>(counts[own]);
  std::vector<int> answers(count);
  if (count > 0) {
    const OnGpu<float> gpu_rows(rows.size()), gpu_queries(queries.size()), distances(count * k);
    const OnGpu<int> gpu_labels(labels.size()), gpu_answers(count), votes(count * sizes[4]);
    const OnGpu<unsigned> nearest(count * k);
    to_gpu(gpu_rows.data, rows, stream);
    to_gpu(gpu_labels.data, labels, stream);
    to_gpu(gpu_queries.data, queries, stream);
    const Classification share{gpu_rows.data, gpu_labels.data, row_count, dims, gpu_queries.data, count, k,
                               label_count,   gpu_answers.data};
    Workspace work{};
    work.distances = distances.data;
    work.nearest = nearest.data;
    work.votes = votes.data;
    block_per_query<<<static_cast<unsigned>(count), kSearchThreads, 0, stream>>>(share, work, share.rows,
                                                                                 dims, 1, nullptr, 0);
    answers = from_gpu(gpu_answers.data, count, stream);
  }
  std::vector<int> all_answers(rank == 0 ? query_count : 0);
  MPI_Gatherv(answers.data(), counts[own], MPI_INT, all_answers.data(), counts.data(), begins.data(), MPI_INT,
              0, MPI_COMM_WORLD);
  if (rank == 0) to_gpu(task.answers, all_answers, stream);
  // </solution>
}
