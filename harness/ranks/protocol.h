// Protocol between the launcher, the ranks' keeper processes and their worker processes.
//
// The launcher starts mpirun in the worker's sandbox. mpirun starts one keeper process per rank, and closes
// all but the standard descriptors. The keeper therefore fetches the other descriptors from the launcher over
// a socket in a private folder, starts the worker, and reports how the worker ended.
#pragma once

namespace warpmark::ranks {

// File descriptor numbers in the launcher and in a worker process.
inline constexpr int kJudge = 3;  // socket to the judge process, or in ranks above 0 to rank 0
// Descriptor for one last report: in the launcher to the judge process, in a worker process to the launcher.
inline constexpr int kLastWords = 4;
// In the launcher: sockets to simulated devices, one per rank from this number on; may be absent.
inline constexpr int kDevice = 5;
inline constexpr int kBoard = 6;      // worker only: shared memory for the rank's state (board.h)
inline constexpr int kFirstPeer = 7;  // rank 0 only: sockets to rank 1, 2, ...

inline constexpr const char* kSocketName = "ranks";

// A worker's option: --rank RANK RANKS LIBRARY; the library is passed to warpmark_mpi_start().
inline constexpr const char* kRankOption = "--rank";

}  // namespace warpmark::ranks
