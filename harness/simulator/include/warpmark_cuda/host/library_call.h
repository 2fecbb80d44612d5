// Calls of library routines (cuBLAS, cuSOLVER, cuFFT) that are no kernels: the simulated device checks the
// memory that a routine uses as it checks a kernel's accesses, and computes the result itself.
#pragma once

#include "warpmark_cuda/types/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WARPMARK_MOST_OPERANDS 8

// A column-major matrix in device memory, or one for each problem of a batch. An array of more dimensions
// repeats the matrix outer[0] times, apart[0] elements from one to the next, and that outer[1] times.
struct WarpmarkOperand {
  const void* data;  // null if the routine is called without this operand
  long long stride;  // bytes between the matrices of consecutive problems
  long long rows;
  long long columns;
  long long leading;  // elements from one column to the next
  long long step;     // elements from one row to the next
  long long outer[2];
  long long apart[2];
  // Element (i, j) is used if i - j <= below and j - i <= above.
  long long below;
  long long above;
  int element;   // bytes
  char kind;     // 'f', 'd': made of float or double; 'h', 'b': half or bfloat16; 'i': of integers
  char storage;  // 'D': dense; 'P': a triangle's columns without gaps; 'B': a band's diagonals are rows
  // The device does not look at these three.
  char form;                 // 'G': as used; 'S', 'H': symmetric, Hermitian; 'U': the diagonal is 1
  char operation;            // 'N', 'T', 'C'
  unsigned char reversed;    // 1: the last row comes first
  unsigned char factor;      // 1 + the operand that is a factor: if that is 0, this one is not read
  unsigned char through;     // 1: data is an array of pointers, one for each problem
  unsigned char is_read;     // 0 or 1
  unsigned char is_written;  // 0 or 1; of an operand that is neither, only the size is checked
};

// Index of element (i, j), which is used. A band's first row is its highest diagonal.
static inline long long warpmark_place(const struct WarpmarkOperand* of, long long i, long long j) {
  if (of->storage == 'P') return of->above <= 0 ? i + (2 * of->rows - j - 1) * j / 2 : i + j * (j + 1) / 2;
  if (of->storage == 'B') return (of->above > 0 ? of->above : 0) + i - j + j * of->leading;
  return i * of->step + j * of->leading;
}

// 0 for a triangle or a band, else 1.
static inline int warpmark_uses_all(const struct WarpmarkOperand* of) {
  return of->storage == 'D' && of->below >= of->rows - 1 && of->above >= of->columns - 1;
}

struct WarpmarkLibraryCall {
  char routine[16];  // "getrf"
  char library;      // 'B': cuBLAS, 'L': cuBLAS by LAPACK, 'S': cuSOLVER, 'F': cuFFT
  char type;         // of its numbers: 'S', 'D', 'C' or 'Z'
  int operands;
  long long problems;  // batch size; 1 without a batch
  long long sizes[6];
  double numbers[5];
  struct WarpmarkOperand operand[WARPMARK_MOST_OPERANDS];
};

cudaError_t warpmark_device_library_call(struct WarpmarkLibraryCall call, cudaStream_t stream);

#ifdef __cplusplus
}  // extern "C"
#endif
