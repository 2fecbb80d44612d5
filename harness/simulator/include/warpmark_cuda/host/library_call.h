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
  // operand of a cuBLAS, cuSOLVER or cuFFT routine; null if the routine is called without this operand
  const void* data;
  long long stride;  // bytes between the matrices of consecutive problems of a batch
  long long rows;
  long long columns;
  long long leading;  // matrix layout: elements from one column to the next
  long long step;     // matrix layout: elements from one row to the next
  long long outer[2];
  long long apart[2];
  // Band of the matrix that a cuBLAS or cuSOLVER routine accesses: the elements (i, j) with i - j <= below
  // and j - i <= above.
  long long below;
  long long above;
  int element;  // bytes
  // number type of a matrix element: 'f' float, 'd' double (both also for complex elements), 'h' half, 'b'
  // bfloat16, 'i' integer
  char kind;
  char storage;  // matrix storage. 'D': dense; 'P': packed triangle; 'B': band storage, one row per diagonal
  // The members form, operation and reversed describe a matrix to the computation of a library routine; the
  // simulator's memory checks ignore them.
  char form;               // matrix form 'G': general, 'S'/'H': symmetric/Hermitian, 'U': unit triangular
  char operation;          // BLAS operation on the matrix: 'N' none, 'T' transpose, 'C' its conjugate
  unsigned char reversed;  // 1: the matrix rows are in reverse order, last row first
  // Index + 1 of a scalar factor among a library routine's operands: if the scalar is 0, the routine does not
  // read this matrix (BLAS: beta = 0). 0: the matrix has no such factor.
  unsigned char factor;
  unsigned char through;  // 1: batched operand given as an array of pointers, one per problem
  unsigned char is_read;  // 1: the library routine reads the operand
  // 1: the routine writes the operand; if it neither reads nor writes it, only the operand's size is checked
  unsigned char is_written;
};

// Returns the offset, in elements from the start of a dense, packed or band matrix, of the element (i, j).
// Band storage starts with the highest diagonal.
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
  char type;  // BLAS letter of the library routine's number type: 'S', 'D', 'C' or 'Z'
  int operands;
  long long problems;  // number of problems of a batched library call; 1 without a batch
  long long sizes[6];
  double numbers[5];
  struct WarpmarkOperand operand[WARPMARK_MOST_OPERANDS];
};

cudaError_t warpmark_device_library_call(struct WarpmarkLibraryCall call, cudaStream_t stream);

#ifdef __cplusplus
}  // extern "C"
#endif
