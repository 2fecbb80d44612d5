// What changes: a rank for each GPU. As in k03 the ranks share the queries; each asks its GPU as k06 does.
// What that cures: the limit of one GPU: every one that is added takes a share of the queries.
// What still hurts: the data set leaves the first GPU and crosses to every other one, in every call.
// What to expect: 5 times the speed of k04 (two H200s, 2^16 rows of 16, 4096 queries), a third of k06's.
#include <array>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "block_per_query.h"
#include "knn.h"
// TODO: memory on this rank's GPU; copies from a GPU to the CPU, and back.

extern "C" void k07_multi_gpu_mpi(Classification task, Workspace /*work*/, cudaStream_t stream) {
  // TODO: as k03; MPI moves memory of the CPU: from the first GPU to its CPU, by message, to the own GPU.
  // TODO: the own share by the kernel of k06 on the own GPU. Which memory has a rank that has no Workspace?
  // TODO: the answers: to the CPU, by message to rank 0, and there to its GPU.
  (void)task, (void)stream, (void)kSearchThreads;
}
