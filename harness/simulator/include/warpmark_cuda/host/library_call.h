// Call of a library routine (cuSOLVER) that the simulator implements directly instead of by a kernel. The
// device process checks the memory that the routine reads and writes as it checks a kernel's accesses.
#pragma once

#include "warpmark_cuda/types/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WARPMARK_MOST_OPERANDS 8

// Operand of a routine: a column-major matrix in device memory, or a batch with one matrix per problem.
struct WarpmarkOperand {
  const void* data;  // null if the routine is called without this operand
  long long stride;  // bytes between the matrices of consecutive problems
  long long rows;
  long long columns;
  long long leading;      // leading dimension: elements between consecutive columns
  int element;            // size of an element in bytes
  char kind;              // component type: 'f' float, 'd' double, 'i' integer
  char part;              // 'L' or 'U': only the lower or upper triangle is used; else all elements are
  unsigned char through;  // 1 if data is an array of pointers, one per problem
  unsigned char is_read;  // 1 if the routine reads the operand, else 0
  // 1 if the routine writes the operand, else 0; if neither, only the size is checked
  unsigned char is_written;
};

struct WarpmarkLibraryCall {
  char routine[16];  // LAPACK name without the type letter, such as "getrf"
  char type;         // LAPACK type letter: 'S', 'D', 'C' or 'Z'
  int operands;
  long long problems;  // batch size; 1 without a batch
  long long sizes[6];
  double bounds[2];
  struct WarpmarkOperand operand[WARPMARK_MOST_OPERANDS];
};

cudaError_t warpmark_device_library_call(struct WarpmarkLibraryCall call, cudaStream_t stream);

#ifdef __cplusplus
}  // extern "C"
#endif
