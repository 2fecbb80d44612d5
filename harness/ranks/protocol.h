// Protocol between the launcher, the keepers of its ranks, and their workers.
//
// The launcher runs beside mpirun in the worker's box. mpirun starts one process per rank and closes all but
// its standard descriptors. That process, the rank's keeper, therefore fetches the other descriptors from the
// launcher over a socket in a private folder, starts the worker, and reports how it ended.
#pragma once

namespace warpmark::ranks {

// Descriptors of the launcher and of a worker.
inline constexpr int kJudge = 3;      // socket: to the judge, or in ranks above 0 to rank 0
inline constexpr int kLastWords = 4;  // launcher: to the judge; worker: to the launcher
inline constexpr int kDevice = 5;     // launcher: one per rank from here on, or none
inline constexpr int kBoard = 6;      // worker only
inline constexpr int kFirstPeer = 7;  // rank 0 only: sockets to rank 1, 2, ...

inline constexpr const char* kSocketName = "ranks";

// A worker's option: --rank RANK RANKS LIBRARY; the library is passed to warpmark_mpi_start().
inline constexpr const char* kRankOption = "--rank";

}  // namespace warpmark::ranks
