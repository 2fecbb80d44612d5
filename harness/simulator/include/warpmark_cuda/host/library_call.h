// Calls of library routines (cuSOLVER, cuFFT) that are no kernels: the simulated device checks the memory
// that a routine uses as it checks a kernel's accesses, and computes the result itself.
#pragma once

#include "warpmark_cuda/types/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WARPMARK_MOST_OPERANDS 8

// A column-major matrix in device memory, or one for each problem of a batch. An array of more dimensions
// repeats the matrix outer[0] times, apart[0] elements from one to the next, and that outer[1] times.
struct WarpmarkOperand {
  const void* data;  // null: the routine is called without it
  long long stride;  // bytes from one problem's matrix to the next one's
  long long rows;
  long long columns;
  long long leading;  // elements from one column to the next
  long long step;     // elements from one row to the next
  long long outer[2];
  long long apart[2];
  int element;               // bytes
  char kind;                 // 'f' and 'd': made of float or double; 'i': of integers
  char part;                 // 'L', 'U': this triangle alone is used; else all elements
  unsigned char through;     // 1: data is an array of pointers, one for each problem
  unsigned char is_read;     // 0 or 1
  unsigned char is_written;  // 0 or 1; of an operand that is neither, only the size is checked
};

struct WarpmarkLibraryCall {
  char routine[16];  // "getrf"
  char library;      // 'S': cuSOLVER, 'F': cuFFT
  char type;         // of its numbers: 'S', 'D', 'C' or 'Z'
  int operands;
  long long problems;  // 1 without a batch
  long long sizes[6];
  double bounds[2];
  struct WarpmarkOperand operand[WARPMARK_MOST_OPERANDS];
};

cudaError_t warpmark_device_library_call(struct WarpmarkLibraryCall call, cudaStream_t stream);

#ifdef __cplusplus
}  // extern "C"
#endif
