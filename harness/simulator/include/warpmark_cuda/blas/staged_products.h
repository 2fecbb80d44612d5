// cuBLAS-XT operations, with the shapes of their operands.
#pragma once

#include "warpmark_cuda/blas/packing.h"
#include "warpmark_cuda/blas/staged.h"
#include "warpmark_cuda/blas/triangles.h"

namespace warpmark_blas {

// For operations without a second factor.
template <typename T>
HostMatrix<T> no_matrix() {
  return {};
}

template <typename T>
cublasStatus_t staged_gemm(cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                           size_t m, size_t n, size_t k, const T* alpha, const T* a, size_t lda, const T* b,
                           size_t ldb, const T* beta, T* c, size_t ldc) {
  WARPMARK_BLAS_VALUES(is_operation(transa) && is_operation(transb) && alpha != nullptr && beta != nullptr);
  return on_copies(handle, before(transa, a, m, k, lda), before(transb, b, k, n, ldb),
                   HostMatrix<T>{c, m, n, ldc}, c, !is_zero(*beta),
                   [&](cublasHandle_t blas, const auto& on_a, const auto& on_b, const auto& on_c) {
                     const GemmShape shape{transa,
                                           transb,
                                           static_cast<Index>(m),
                                           static_cast<Index>(n),
                                           static_cast<Index>(k),
                                           on_a.leading(),
                                           on_b.leading(),
                                           on_c.leading()};
                     return gemm<T>(blas, shape, alpha, on_a.get(), on_b.get(), beta, on_c.get());
                   });
}

template <bool hermitian, typename T>
cublasStatus_t staged_symm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, size_t m,
                           size_t n, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb,
                           const T* beta, T* c, size_t ldc) {
  WARPMARK_BLAS_VALUES(is_side(side) && is_fill(fill) && alpha != nullptr && beta != nullptr);
  return on_copies(handle, square(side, a, m, n, lda), HostMatrix<T>{b, m, n, ldb},
                   HostMatrix<T>{c, m, n, ldc}, c, !is_zero(*beta),
                   [&](cublasHandle_t blas, const auto& on_a, const auto& on_b, const auto& on_c) {
                     return symm<hermitian>(blas, side, fill, static_cast<Index>(m), static_cast<Index>(n),
                                            alpha, on_a.get(), on_a.leading(), on_b.get(), on_b.leading(),
                                            beta, on_c.get(), on_c.leading());
                   });
}

// A packed symmetric matrix; unpacked on the device.
template <typename T>
cublasStatus_t staged_spmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, size_t m,
                           size_t n, const T* alpha, const T* packed_a, const T* b, size_t ldb, const T* beta,
                           T* c, size_t ldc) {
  WARPMARK_BLAS_VALUES(is_side(side) && is_fill(fill) && alpha != nullptr && beta != nullptr);
  const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  const size_t count = order * (order + 1) / 2;  // copied as one column
  return on_copies(handle, HostMatrix<T>{packed_a, count, 1, count}, HostMatrix<T>{b, m, n, ldb},
                   HostMatrix<T>{c, m, n, ldc}, c, !is_zero(*beta),
                   [&](cublasHandle_t blas, const auto& on_a, const auto& on_b, const auto& on_c) {
                     const auto size = static_cast<Index>(order);
                     Staged<T> unpacked({nullptr, order, order, order}, false);
                     if (unpacked.error() != cudaSuccess) return status_of(unpacked.error());
                     const cublasStatus_t status = copy_triangle<T>(
                         blas, size, on_a.get(), packed(size, fill), unpacked.get(), whole(size, size, fill));
                     if (status != CUBLAS_STATUS_SUCCESS) return status;
                     return symm<false>(blas, side, fill, static_cast<Index>(m), static_cast<Index>(n), alpha,
                                        static_cast<const T*>(unpacked.get()), size,
                                        static_cast<const T*>(on_b.get()), on_b.leading(), beta, on_c.get(),
                                        on_c.leading());
                   });
}

// Updates one triangle of C from A, or from A and B: work(handle, a, lda, b, ldb, c, ldc).
template <typename T, typename Work>
cublasStatus_t staged_rank(cublasXtHandle_t handle, cublasOperation_t operation, size_t n, size_t k,
                           const T* a, size_t lda, const HostMatrix<T>& b, T* c, size_t ldc,
                           const Work& work) {
  return on_copies(handle, before(operation, a, n, k, lda), b, HostMatrix<T>{c, n, n, ldc}, c, true,
                   [&](cublasHandle_t blas, const auto& on_a, const auto& on_b, const auto& on_c) {
                     return work(blas, on_a.get(), on_a.leading(), on_b.get(), on_b.leading(), on_c.get(),
                                 on_c.leading());
                   });
}

template <typename T>
cublasStatus_t staged_trsm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t operation, cublasDiagType_t diagonal, size_t m, size_t n,
                           const T* alpha, const T* a, size_t lda, T* b, size_t ldb) {
  return on_copies(handle, square(side, a, m, n, lda), no_matrix<T>(), HostMatrix<T>{b, m, n, ldb}, b, true,
                   [&](cublasHandle_t blas, const auto& on_a, const auto&, const auto& on_b) {
                     return trsm<T>(blas, side, fill, operation, diagonal, static_cast<Index>(m),
                                    static_cast<Index>(n), alpha, on_a.get(), on_a.leading(), on_b.get(),
                                    on_b.leading());
                   });
}
template <typename T>
cublasStatus_t staged_trmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t operation, cublasDiagType_t diagonal, size_t m, size_t n,
                           const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, T* c, size_t ldc) {
  return on_copies(handle, square(side, a, m, n, lda), HostMatrix<T>{b, m, n, ldb},
                   HostMatrix<T>{c, m, n, ldc}, c, false,
                   [&](cublasHandle_t blas, const auto& on_a, const auto& on_b, const auto& on_c) {
                     return trmm<T>(blas, side, fill, operation, diagonal, static_cast<Index>(m),
                                    static_cast<Index>(n), alpha, on_a.get(), on_a.leading(), on_b.get(),
                                    on_b.leading(), on_c.get(), on_c.leading());
                   });
}

}  // namespace warpmark_blas
