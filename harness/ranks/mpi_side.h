// The MPI side: a library that is compiled against the machine's own MPI when a version with ranks is graded.
// It is loaded before the submission, and every rank starts MPI through it.
#pragma once

extern "C" {

// Initialises MPI for this process and reports on the board (warpmark::ranks::Board). Returns null on
// success, else a static string with the reason. Call once per process.
const char* warpmark_mpi_start(void* board, int rank, int ranks);

}  // extern "C"
