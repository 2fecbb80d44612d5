// Builds the message that asks the simulator's device process to perform a BLAS or LAPACK routine (see
// warpmark_cuda/host/library_call.h). Matrices are column-major.
#pragma once

#include "warpmark_cuda/blas/numbers.h"
#include "warpmark_cuda/host/library_call.h"

namespace warpmark_blas {

// One matrix, or a batch of matrices given by an array of pointers or by a stride in elements.
template <typename T>
struct Matrices {
  T* data;
  T* const* pointers;  // one pointer per matrix of the batch; null if the matrices lie at a constant stride
  Index leading;
  Index stride;
};
template <typename T>
Matrices<T> one(T* data, Index leading) {
  return {data, nullptr, leading, 0};
}
template <typename T>
Matrices<T> strided(T* data, Index stride) {
  return {data, nullptr, 1, stride};
}
template <typename T>
Matrices<T> by_pointers(T* const* pointers, Index leading = 1) {
  return {nullptr, pointers, leading, 0};
}

// How a BLAS routine reads a matrix operand A: storage form (e.g. symmetric, packed) and operation op(A), as
// letters that WarpmarkOperand documents.
struct Form {
  char form = 'G';
  char operation = 'N';
  char storage = 'D';
  Index below = kAll;
  Index above = kAll;
  // BLAS increment of a vector: elements from one entry to the next; if negative, the vector is stored
  // backwards
  Index step = 1;
  static constexpr Index kAll = 0x7fffffff;
};
// Describes which part of a full matrix a BLAS routine accesses: the lower ('L') or upper ('U') triangle or,
// for any other letter, all of the matrix.
inline Form part_of_matrix(char part) {
  Form form;
  if (part == 'L') form.above = 0;
  if (part == 'U') form.below = 0;
  return form;
}
inline char letter_of(int operation) {
  return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : 'C';
}

// Scalar factor of a cuBLAS routine (alpha or beta): a pointer to device memory or, if that is null, a real
// or complex value.
template <typename Element>
struct Factor {
  const Element* device;
  double real;
  double imaginary;
};
inline Factor<float> constant(double value) {
  return {nullptr, value, 0};
}
template <typename Element>
Factor<Element> factor_of(cublasHandle_t handle, const Element* pointer) {
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return {pointer, 0, 0};
  if constexpr (kIsComplex<Element>)
    return {nullptr, pointer->x, pointer->y};
  else if constexpr (sizeof(Element) < sizeof(float))
    return {nullptr, static_cast<float>(*pointer), 0};
  else
    return {nullptr, static_cast<double>(*pointer), 0};
}

// How a library routine accesses an operand. `work`: a workspace, which the simulator does not use but whose
// size it checks.
enum class Access { work, read, write, read_and_write };

// Builds and runs a call of a library routine that computes in numbers of type T.
template <typename T>
class Routine {
 public:
  Routine(char library, const char* name, Index problems, std::initializer_list<Index> sizes) {
    using R = Real<T>;
    constexpr bool is_double = std::is_same_v<R, double> || std::is_same_v<R, int>;
    for (int i = 0; name[i] != '\0'; ++i) call_.routine[i] = name[i];
    call_.library = library;
    call_.type = kIsComplex<T> ? is_double ? 'Z' : 'C' : is_double ? 'D' : 'S';
    call_.problems = problems;
    int count = 0;
    for (const Index size : sizes) call_.sizes[count++] = size;
  }
  Routine& number(int i, double value) {
    call_.numbers[i] = value;
    return *this;
  }
  template <typename Element>
  Routine& matrix(Access access, const Matrices<Element>& matrices, Index rows, Index columns,
                  const Form& form = {}) {
    using Number = Real<std::remove_const_t<Element>>;
    WarpmarkOperand& operand = call_.operand[call_.operands++];
    operand.through = matrices.pointers != nullptr;
    operand.data = operand.through ? static_cast<const void*>(matrices.pointers)
                                   : static_cast<const void*>(matrices.data);
    operand.stride = matrices.stride * static_cast<Index>(sizeof(Element));
    operand.rows = rows;
    operand.columns = columns;
    operand.leading = matrices.leading;
    operand.step = form.step < 0 ? -form.step : form.step;
    operand.outer[0] = operand.outer[1] = 1;
    operand.below = form.below;
    operand.above = form.above;
    operand.element = sizeof(Element);
    operand.kind = std::is_same_v<Number, float>           ? 'f'
                   : std::is_same_v<Number, double>        ? 'd'
                   : std::is_same_v<Number, __half>        ? 'h'
                   : std::is_same_v<Number, __nv_bfloat16> ? 'b'
                                                           : 'i';
    operand.storage = form.storage;
    operand.form = form.form;
    operand.operation = form.operation;
    operand.reversed = form.step < 0;
    operand.is_read = access == Access::read || access == Access::read_and_write;
    operand.is_written = access == Access::write || access == Access::read_and_write;
    return *this;
  }
  // Adds a matrix operand to the library call. part: 'L' or 'U' for the matrix's lower or upper triangle,
  // else all of it.
  template <typename Element>
  Routine& matrix(Access access, const Matrices<Element>& matrices, Index rows, Index columns, char part) {
    return matrix(access, matrices, rows, columns, part_of_matrix(part));
  }
  // Adds an array operand to the library call: `count` numbers per problem of the batch, contiguous over the
  // batch.
  template <typename Element>
  Routine& array(Access access, Element* data, Index count) {
    return matrix(access, Matrices<Element>{data, nullptr, count > 1 ? count : 1, count}, count, 1);
  }

  // Adds a scalar operand (alpha or beta) to the library call; it must be one of the call's first two
  // operands.
  template <typename Element>
  Routine& factor(const Factor<Element>& factor) {
    const int i = call_.operands;
    number(2 * i, factor.real).number(2 * i + 1, factor.imaginary);
    return matrix(Access::read, one(factor.device, 1), 1, 1);
  }
  // Marks the library call's latest operand as not read if scalar operand i is 0: BLAS requires that C is not
  // read if beta is 0.
  Routine& unless_zero(int i) {
    WarpmarkOperand& operand = call_.operand[call_.operands - 1];
    if (call_.operand[i].data != nullptr) {
      operand.factor = static_cast<unsigned char>(i + 1);
    } else if (call_.numbers[2 * i] == 0 && call_.numbers[2 * i + 1] == 0) {
      operand.is_read = 0;
      if (operand.is_written == 0) operand.data = nullptr;
    }
    return *this;
  }

  cudaError_t run(cudaStream_t stream) { return ::warpmark_device_library_call(call_, stream); }

 private:
  WarpmarkLibraryCall call_{};
};

}  // namespace warpmark_blas
