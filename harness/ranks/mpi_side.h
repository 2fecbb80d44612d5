// The side of MPI: a library that is built with the machine's own MPI when a version with ranks is graded.
// It is loaded before the submission, and every rank starts MPI through it.
#pragma once

extern "C" {

// Starts MPI for this process and reports on the board (warpmark::ranks::Board). Returns null, or why there
// is no MPI; the text is static. Once in a process.
const char* warpmark_mpi_start(void* board, int rank, int ranks);

}  // extern "C"
