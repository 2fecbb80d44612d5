// cuBLAS: operands, and the few routines by which the device computes all of levels 2 and 3.
#pragma once

#include "warpmark_cuda/blas/routine.h"

namespace warpmark_blas {

// A matrix in device memory, with its number of rows and columns as stored (before op() is applied).
template <typename T>
struct Stored {
  Matrices<T> at;
  Index rows;
  Index columns;
  Form form;
};
template <typename T>
Stored<T> general(Matrices<T> at, Index leading, Index rows, Index columns, int operation = CUBLAS_OP_N) {
  at.leading = leading;
  Form form;
  form.operation = letter_of(operation);
  return {at, rows, columns, form};
}
// Describes the matrix A as stored in memory, given the size (`rows` x `columns`) of op(A).
template <typename T>
Stored<T> applied(const Matrices<T>& at, Index leading, Index rows, Index columns, int operation) {
  return operation == CUBLAS_OP_N ? general(at, leading, rows, columns)
                                  : general(at, leading, columns, rows, operation);
}
template <typename T>
Stored<T> vector(const Matrices<T>& at, Index count, Index increment, char operation = 'N') {
  Form form;
  form.operation = operation;
  form.step = increment;
  return {at, count, 1, form};
}
template <typename T>
Stored<T> vector(T* data, Index count, Index increment, char operation = 'N') {
  return vector(one(data, 1), count, increment, operation);
}

// Storage of a triangular, symmetric or Hermitian matrix: full, packed column by column, or as a band with
// `diagonals` diagonals beside the main one.
struct Triangle {
  char storage;
  Index leading;
  Index diagonals;
  int fill;
  // true if the triangular matrix's fill mode, leading dimension and number of diagonals are valid arguments
  bool right;
};
inline Triangle whole(Index n, Index leading, int fill) {
  return {'D', leading, Form::kAll, fill, is_fill(fill) && leading >= at_least_1(n)};
}
inline Triangle packed(Index, int fill) {
  return {'P', 1, Form::kAll, fill, is_fill(fill)};
}
inline Triangle triangle_band(Index diagonals, Index leading, int fill) {
  return {'B', leading, diagonals, fill, is_fill(fill) && diagonals >= 0 && leading > diagonals};
}
// Describes a triangular, symmetric or Hermitian matrix as operand of a cuBLAS routine. form: 'G' (triangle
// as stored), 'S' (symmetric), 'H' (Hermitian) or 'U' (triangle with unit diagonal, which is not read).
template <typename T>
Stored<T> triangle(const Matrices<T>& at, Index n, const Triangle& of, char form,
                   int operation = CUBLAS_OP_N) {
  Stored<T> stored = general(at, of.leading, n, n, operation);
  const Index beside = form == 'U' ? -1 : 0;
  stored.form.form = form;
  stored.form.storage = of.storage;
  stored.form.below = of.fill == CUBLAS_FILL_MODE_LOWER ? of.diagonals : beside;
  stored.form.above = of.fill == CUBLAS_FILL_MODE_LOWER ? beside : of.diagonals;
  return stored;
}
inline char form_of(int diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT ? 'U' : 'G';
}

inline cublasStatus_t status_of_call(cudaError_t error) {
  return error == cudaErrorNotSupported ? CUBLAS_STATUS_NOT_SUPPORTED : status_of(error);
}

// Runs the cuBLAS product C = alpha op(A) op(B) + beta C on the device, computed in type S. twofold: also
// adds the transpose of the product, or the conjugate transpose if C is Hermitian.
template <typename S, typename Alpha, typename A, typename B, typename Beta, typename C>
cublasStatus_t multiply(cublasHandle_t handle, const char* name, Index count, const Factor<Alpha>& alpha,
                        const Stored<A>& a, const Stored<B>& b, const Factor<Beta>& beta, const Stored<C>& c,
                        bool twofold = false) {
  return status_of_call(Routine<S>('B', name, count, {twofold})
                            .factor(alpha)
                            .factor(beta)
                            .matrix(Access::read, a.at, a.rows, a.columns, a.form)
                            .matrix(Access::read, b.at, b.rows, b.columns, b.form)
                            .matrix(Access::read_and_write, c.at, c.rows, c.columns, c.form)
                            .unless_zero(1)
                            .run(handle->stream));
}

// Runs cuBLAS's triangular solve on the device: overwrites B with alpha A^-1 B (left) or alpha B A^-1, where
// A is triangular.
template <typename T, typename Alpha>
cublasStatus_t solve(cublasHandle_t handle, const char* name, Index count, bool left,
                     const Factor<Alpha>& alpha, const Stored<const T>& a, const Stored<T>& b) {
  return status_of_call(Routine<T>('B', name, count, {left})
                            .factor(alpha)
                            .factor(constant(0))
                            .matrix(Access::read, a.at, a.rows, a.columns, a.form)
                            .matrix(Access::read_and_write, b.at, b.rows, b.columns, b.form)
                            .run(handle->stream));
}

// Computes C = alpha A + beta B on the device; a matrix whose scalar factor is 0 is not read.
template <typename T, typename Alpha, typename Beta>
cublasStatus_t add(cublasHandle_t handle, const char* name, const Factor<Alpha>& alpha,
                   const Stored<const T>& a, const Factor<Beta>& beta, const Stored<const T>& b,
                   const Stored<T>& c) {
  return status_of_call(Routine<T>('B', name, 1, {})
                            .factor(alpha)
                            .factor(beta)
                            .matrix(Access::read, a.at, a.rows, a.columns, a.form)
                            .unless_zero(0)
                            .matrix(Access::read, b.at, b.rows, b.columns, b.form)
                            .unless_zero(1)
                            .matrix(Access::write, c.at, c.rows, c.columns, c.form)
                            .run(handle->stream));
}

}  // namespace warpmark_blas
