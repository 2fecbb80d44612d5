// Protocol between the launcher, the ranks' keeper processes and their worker processes.
//
// The launcher starts mpirun in the worker's sandbox. mpirun starts one keeper process per rank, and closes
// all but the standard descriptors. The keeper therefore fetches the other descriptors from the launcher over
// a socket in a private folder, starts the worker, and reports how the worker ended.
#pragma once

namespace warpmark::ranks {

// File descriptor numbers by which the launcher of an MPI program and the worker process in each rank inherit
// their sockets and shared memory. kJudge is the socket to the judge process, or to rank 0 in the other
// ranks.
inline constexpr int kJudge = 3;
// Descriptor for the last report on a dying MPI rank: in the launcher it leads to the judge process, in a
// worker process to the launcher.
inline constexpr int kLastWords = 4;
// First of the descriptors by which the launcher of an MPI program inherits sockets to simulated GPUs, one
// per rank; absent if kernels are not simulated.
inline constexpr int kDevice = 5;
inline constexpr int kBoard = 6;      // worker only: shared memory for the rank's state (board.h)
inline constexpr int kFirstPeer = 7;  // rank 0 only: sockets to rank 1, 2, ...

inline constexpr const char* kSocketName = "ranks";

// A worker's option: --rank RANK RANKS LIBRARY; the library is passed to warpmark_mpi_start().
inline constexpr const char* kRankOption = "--rank";

}  // namespace warpmark::ranks
