// The process that mpirun starts for a rank.
#pragma once

namespace warpmark::ranks {

// Fetches the rank's descriptors at the launcher's socket, runs the worker, and tells how it ended. worker:
// its arguments, with a null pointer behind them; after kRankOption this rank's number is put in.
int keep_rank(const char* socket, char** worker);

}  // namespace warpmark::ranks
