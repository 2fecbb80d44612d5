// cuSOLVER: a call of a dense routine, which the device performs (warpmark_cuda/host/library_call.h).
// Matrices are column-major.
#pragma once

#include "warpmark_cuda/blas/numbers.h"
#include "warpmark_cuda/host/library_call.h"
#include "warpmark_cuda/solver/block.h"

namespace warpmark_solver {

// A matrix or a batch, given by pointers or by a stride in elements.
template <typename T>
struct Matrices {
  T* data;
  T* const* pointers;  // null if strided
  Index leading;
  Index stride;
};
template <typename T>
Matrices<T> one(T* data, Index leading) {
  return {data, nullptr, leading, 0};
}

inline char letter_of(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : 'C';
}

// What a routine does with an operand; of its work area the size is checked alone.
enum class Access { work, read, write, read_and_write };

template <typename T>
class Routine {
 public:
  Routine(const char* name, Index problems, std::initializer_list<Index> sizes) {
    for (int i = 0; name[i] != '\0'; ++i) call_.routine[i] = name[i];
    call_.library = 'S';
    call_.type = kIsComplex<T> ? sizeof(T) == 8 ? 'C' : 'Z' : sizeof(T) == 4 ? 'S' : 'D';
    call_.problems = problems;
    int count = 0;
    for (const Index size : sizes) call_.sizes[count++] = size;
  }
  Routine& within(double low, double high) {
    call_.bounds[0] = low;
    call_.bounds[1] = high;
    return *this;
  }
  // part: 'L' or 'U' for a triangle.
  template <typename N>
  Routine& matrix(Access access, const Matrices<N>& matrices, Index rows, Index columns, char part = 'A') {
    using Number = Real<std::remove_const_t<N>>;
    WarpmarkOperand& operand = call_.operand[call_.operands++];
    operand.through = matrices.pointers != nullptr;
    operand.data = operand.through ? static_cast<const void*>(matrices.pointers)
                                   : static_cast<const void*>(matrices.data);
    operand.stride = matrices.stride * static_cast<Index>(sizeof(N));
    operand.rows = rows;
    operand.columns = columns;
    operand.leading = matrices.leading;
    operand.step = 1;
    operand.outer[0] = operand.outer[1] = 1;
    operand.element = sizeof(N);
    operand.kind = std::is_integral_v<Number> ? 'i' : sizeof(Number) == 4 ? 'f' : 'd';
    operand.part = part;
    operand.is_read = access == Access::read || access == Access::read_and_write;
    operand.is_written = access == Access::write || access == Access::read_and_write;
    return *this;
  }
  // `count` numbers for each problem, one array behind the other.
  template <typename N>
  Routine& array(Access access, N* data, Index count) {
    return matrix(access, Matrices<N>{data, nullptr, count > 1 ? count : 1, count}, count, 1);
  }
  // info: one number for each problem.
  cusolverStatus_t run(cusolverDnHandle_t handle, int* info) {
    return array(Access::write, info, 1).run(handle);
  }
  cusolverStatus_t run(cusolverDnHandle_t handle) {
    return status_of(::warpmark_device_library_call(call_, handle->stream));
  }

 private:
  WarpmarkLibraryCall call_{};
};

}  // namespace warpmark_solver
