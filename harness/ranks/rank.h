// Keeper process of one MPI rank, which mpirun starts.
#pragma once

namespace warpmark::ranks {

// Fetches the rank's file descriptors from the launcher's socket, runs the worker process, and reports how it
// ended. worker: null-terminated argv; this rank's number replaces the argument after kRankOption.
// processors: as in MpiJob; the worker process may use its rank's processor and no other.
int keep_rank(const char* socket, const char* processors, char** worker);

}  // namespace warpmark::ranks
