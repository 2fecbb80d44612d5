// Library that is compiled against the machine's own MPI when an MPI program is graded. Every rank loads it
// before the student's code, and starts MPI through it.
#pragma once

extern "C" {

// Initialises MPI for this process and publishes the rank's state in `board` (a warpmark::ranks::Board).
// Returns null on success, else a static string with the reason. Call once per process.
const char* warpmark_mpi_start(void* board, int rank, int ranks);

}  // extern "C"
