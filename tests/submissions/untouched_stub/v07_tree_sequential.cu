/* Name: A. Student
   Date: tomorrow */
#include "reduction.h"

constexpr unsigned kThreads = 256;

__global__ void tree_sequential(const value_t* values, std::size_t n, value_t* partial) {
  // I will do this later.
  (void)values, (void)n, (void)partial;
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                    cudaStream_t stream) {
  (void)values, (void)n, (void)sum, (void)work, (void)stream, (void)kThreads;
}
