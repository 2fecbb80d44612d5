// Between the launcher, the keepers of its ranks and their workers.
//
// The launcher runs beside mpirun in the worker's box. mpirun starts one process a rank and closes all but
// its standard descriptors: that process, the rank's keeper, fetches the others from the launcher over a
// socket in a folder of theirs, starts the worker, and tells how it ended.
#pragma once

#include <cstddef>

namespace warpmark::ranks {

// What the launcher is given, and the descriptors of a worker.
inline constexpr int kJudge = 3;      // the socket; of a rank but the first one: to rank 0
inline constexpr int kLastWords = 4;  // of the launcher: to the judge; of a worker: to the launcher
inline constexpr int kDevice = 5;     // the launcher has one for each rank, from here on; or none
inline constexpr int kBoard = 6;      // of a worker alone
inline constexpr int kFirstPeer = 7;  // of rank 0 alone: to rank 1, 2, ...

inline constexpr const char* kSocketName = "ranks";

// What a worker is told: --rank RANK RANKS LIBRARY, the last for warpmark_mpi_start().
inline constexpr const char* kRankOption = "--rank";

}  // namespace warpmark::ranks
