// The rank's keeper: the process that mpirun starts per rank.
#pragma once

namespace warpmark::ranks {

// Fetches the rank's descriptors from the launcher's socket, runs the worker, and reports how it ended.
// worker: its null-terminated argv; this rank's number replaces the argument after kRankOption.
int keep_rank(const char* socket, char** worker);

}  // namespace warpmark::ranks
