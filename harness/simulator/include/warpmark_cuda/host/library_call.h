// Calls of library routines (cuBLAS, cuSOLVER, cuFFT) that are no kernels: the simulated device checks the
// memory that a routine uses as it checks a kernel's accesses, and computes the result itself.
#pragma once

#include "warpmark_cuda/types/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WARPMARK_MOST_OPERANDS 8

// Operand of a library call: a column-major matrix in device memory, or one matrix per problem of a batch.
// An array of more dimensions consists of outer[1] groups, apart[1] elements apart, of outer[0] matrices,
// apart[0] elements apart.
struct WarpmarkOperand {
  const void* data;  // null if the routine is called without this operand
  long long stride;  // bytes between the matrices of consecutive problems
  long long rows;
  long long columns;
  long long leading;  // elements from one column to the next
  long long step;     // elements from one row to the next
  long long outer[2];
  long long apart[2];
  // The routine uses the elements (i, j) with i - j <= below and j - i <= above.
  long long below;
  long long above;
  int element;   // bytes
  char kind;     // 'f', 'd': made of float or double; 'h', 'b': half or bfloat16; 'i': of integers
  char storage;  // 'D': dense; 'P': a triangle's columns without gaps; 'B': a band's diagonals are rows
  // Interpreted by the routine's computation only, not by the memory checks: form, operation, reversed.
  char form;               // 'G': as stored; 'S', 'H': symmetric, Hermitian; 'U': unit diagonal
  char operation;          // 'N', 'T', 'C'
  unsigned char reversed;  // 1: the last row comes first
  // 0, or 1 + index of a scalar operand that, if it is 0, makes this operand unread
  unsigned char factor;
  unsigned char through;     // 1: data is an array of pointers, one for each problem
  unsigned char is_read;     // 0 or 1
  unsigned char is_written;  // 0 or 1; if neither read nor written, only the operand's size is checked
};

// Index of the used element (i, j) from the start of the matrix, in elements. Band storage starts with the
// highest diagonal.
static inline long long warpmark_place(const struct WarpmarkOperand* of, long long i, long long j) {
  if (of->storage == 'P') return of->above <= 0 ? i + (2 * of->rows - j - 1) * j / 2 : i + j * (j + 1) / 2;
  if (of->storage == 'B') return (of->above > 0 ? of->above : 0) + i - j + j * of->leading;
  return i * of->step + j * of->leading;
}

// Returns 1 if the operand is dense and all of its elements are used, else 0.
static inline int warpmark_uses_all(const struct WarpmarkOperand* of) {
  return of->storage == 'D' && of->below >= of->rows - 1 && of->above >= of->columns - 1;
}

struct WarpmarkLibraryCall {
  char routine[16];  // "getrf"
  // library of the routine: 'B': cuBLAS, 'L': cuBLAS, computed by LAPACK, 'S': cuSOLVER, 'F': cuFFT
  char library;
  char type;  // number type by BLAS letter: 'S', 'D', 'C' or 'Z'
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
