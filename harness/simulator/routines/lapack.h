// Overloads of LAPACK's routines by element type. Matrices are column-major.
#pragma once

#include <complex>
#include <vector>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

namespace warpmark::lapack {

// Defines overloads for element type T that forward to LAPACK's routines with type prefix L. OR and SY:
// prefixes in the names of routines for orthogonal (or unitary) and symmetric (or Hermitian) matrices.
#define WARPMARK_LAPACK(L, T, OR, SY)                                                                        \
  inline auto potrf(char uplo, int n, T* a, int lda) {                                                       \
    return LAPACKE_##L##potrf(LAPACK_COL_MAJOR, uplo, n, a, lda);                                            \
  }                                                                                                          \
  inline auto potrs(char uplo, int n, int columns, const T* a, int lda, T* b, int ldb) {                     \
    return LAPACKE_##L##potrs(LAPACK_COL_MAJOR, uplo, n, columns, a, lda, b, ldb);                           \
  }                                                                                                          \
  inline auto potri(char uplo, int n, T* a, int lda) {                                                       \
    return LAPACKE_##L##potri(LAPACK_COL_MAJOR, uplo, n, a, lda);                                            \
  }                                                                                                          \
  inline auto getrf(int m, int n, T* a, int lda, int* pivots) {                                              \
    return LAPACKE_##L##getrf(LAPACK_COL_MAJOR, m, n, a, lda, pivots);                                       \
  }                                                                                                          \
  inline auto getrs(char operation, int n, int columns, const T* a, int lda, const int* pivots, T* b,        \
                    int ldb) {                                                                               \
    return LAPACKE_##L##getrs(LAPACK_COL_MAJOR, operation, n, columns, a, lda, pivots, b, ldb);              \
  }                                                                                                          \
  inline auto geqrf(int m, int n, T* a, int lda, T* tau) {                                                   \
    return LAPACKE_##L##geqrf(LAPACK_COL_MAJOR, m, n, a, lda, tau);                                          \
  }                                                                                                          \
  inline auto orgqr(int m, int n, int k, T* a, int lda, const T* tau) {                                      \
    return LAPACKE_##L##OR##gqr(LAPACK_COL_MAJOR, m, n, k, a, lda, tau);                                     \
  }                                                                                                          \
  inline auto ormqr(char side, char operation, int m, int n, int k, const T* a, int lda, const T* tau, T* c, \
                    int ldc) {                                                                               \
    return LAPACKE_##L##OR##mqr(LAPACK_COL_MAJOR, side, operation, m, n, k, a, lda, tau, c, ldc);            \
  }                                                                                                          \
  inline auto gels(int m, int n, int columns, T* a, int lda, T* b, int ldb) {                                \
    return LAPACKE_##L##gels(LAPACK_COL_MAJOR, 'N', m, n, columns, a, lda, b, ldb);                          \
  }                                                                                                          \
  template <class R>                                                                                         \
  auto gesdd(char vectors, int m, int n, T* a, int lda, R* s, T* u, int ldu, T* vt, int ldvt) {              \
    return LAPACKE_##L##gesdd(LAPACK_COL_MAJOR, vectors, m, n, a, lda, s, u, ldu, vt, ldvt);                 \
  }                                                                                                          \
  template <class R>                                                                                         \
  auto gesvd(char of_u, char of_v, int m, int n, T* a, int lda, R* s, T* u, int ldu, T* vt, int ldvt,        \
             R* rest) {                                                                                      \
    return LAPACKE_##L##gesvd(LAPACK_COL_MAJOR, of_u, of_v, m, n, a, lda, s, u, ldu, vt, ldvt, rest);        \
  }                                                                                                          \
  template <class R>                                                                                         \
  auto gesvj(int m, int n, T* a, int lda, R* s, R* statistics) {                                             \
    return LAPACKE_##L##gesvj(LAPACK_COL_MAJOR, 'G', 'N', 'N', m, n, a, lda, s, 0, nullptr, 1, statistics);  \
  }                                                                                                          \
  template <class R>                                                                                         \
  auto syevd(char vectors, char uplo, int n, T* a, int lda, R* w) {                                          \
    return LAPACKE_##L##SY##evd(LAPACK_COL_MAJOR, vectors, uplo, n, a, lda, w);                              \
  }                                                                                                          \
  template <class R>                                                                                         \
  auto sygvd(int type, char vectors, char uplo, int n, T* a, int lda, T* b, int ldb, R* w) {                 \
    return LAPACKE_##L##SY##gvd(LAPACK_COL_MAJOR, type, vectors, uplo, n, a, lda, b, ldb, w);                \
  }
WARPMARK_LAPACK(s, float, or, sy)
WARPMARK_LAPACK(d, double, or, sy)
WARPMARK_LAPACK(c, std::complex<float>, un, he)
WARPMARK_LAPACK(z, std::complex<double>, un, he)
#undef WARPMARK_LAPACK

// Defines overloads that compute the eigenvalues of a general matrix and, if `vectors` is not null, its right
// eigenvectors. For real matrices, LAPACK returns the real and imaginary parts in two arrays.
#define WARPMARK_LAPACK_GEEV(L, T)                                                                        \
  inline auto geev(int n, T* a, int lda, std::complex<T>* w, T* vectors, int ldv) {                       \
    std::vector<T> real(n), imaginary(n);                                                                 \
    const auto info = LAPACKE_##L##geev(LAPACK_COL_MAJOR, 'N', vectors == nullptr ? 'N' : 'V', n, a, lda, \
                                        real.data(), imaginary.data(), nullptr, 1, vectors, ldv);         \
    for (int i = 0; i < n; ++i) w[i] = {real[i], imaginary[i]};                                           \
    return info;                                                                                          \
  }
#define WARPMARK_LAPACK_COMPLEX_GEEV(L, T)                                                                 \
  inline auto geev(int n, T* a, int lda, T* w, T* vectors, int ldv) {                                      \
    return LAPACKE_##L##geev(LAPACK_COL_MAJOR, 'N', vectors == nullptr ? 'N' : 'V', n, a, lda, w, nullptr, \
                             1, vectors, ldv);                                                             \
  }
WARPMARK_LAPACK_GEEV(s, float)
WARPMARK_LAPACK_GEEV(d, double)
WARPMARK_LAPACK_COMPLEX_GEEV(c, std::complex<float>)
WARPMARK_LAPACK_COMPLEX_GEEV(z, std::complex<double>)
#undef WARPMARK_LAPACK_GEEV
#undef WARPMARK_LAPACK_COMPLEX_GEEV

}  // namespace warpmark::lapack
