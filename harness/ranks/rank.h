// Keeper process of one MPI rank, which mpirun starts.
#pragma once

namespace warpmark::ranks {

// Fetches the rank's file descriptors from the launcher's socket, runs the worker process, and reports how it
// ended. worker: null-terminated argv; this rank's number replaces the argument after kRankOption. is_bound:
// the worker process of rank r may use the r-th processor of this process's affinity mask and no other.
int keep_rank(const char* socket, bool is_bound, char** worker);

}  // namespace warpmark::ranks
