// Sparse cuSOLVER on the simulator: linear solvers under NVIDIA's names. Least squares, eigenvalues and
// fill-reducing orderings are not simulated.
#pragma once

#if !defined(__CUDA__)
#error 'cusolverSp.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#define CUSOLVERSP_H_

#include "cusolver_common.h"
#include "cusparse.h"
#include "warpmark_cuda/solver/sparse.h"
#include "warpmark_cuda/solver/sparse_batch.h"

// Defines a cuSOLVER function that solves a sparse system (cusolverSp...csrlsvlu, -qr, -chol). Every method
// runs the same band LU, and nothing is reordered, so `reorder` is ignored.
#define WARPMARK_SOLVER_SYSTEM(L, T, R, method, place)                                                   \
  WARPMARK_IF_CALLED                                                                                     \
  inline cusolverStatus_t cusolverSp##L##csrlsv##method(                                                 \
      cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrVal,       \
      const int* csrRowPtr, const int* csrColInd, const T* b, R tol, int, T* x, int* singularity) {      \
    return warpmark_solver::solve_on_##place<T>(handle, m, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, \
                                                tol, x, singularity);                                    \
  }
#define WARPMARK_SOLVER_SYSTEMS(L, T, R)          \
  WARPMARK_SOLVER_SYSTEM(L, T, R, qr, device)     \
  WARPMARK_SOLVER_SYSTEM(L, T, R, chol, device)   \
  WARPMARK_SOLVER_SYSTEM(L, T, R, qrHost, host)   \
  WARPMARK_SOLVER_SYSTEM(L, T, R, cholHost, host) \
  WARPMARK_SOLVER_SYSTEM(L, T, R, luHost, host)
WARPMARK_SOLVER_SYSTEMS(S, float, float)
WARPMARK_SOLVER_SYSTEMS(D, double, double)
WARPMARK_SOLVER_SYSTEMS(C, cuComplex, float)
WARPMARK_SOLVER_SYSTEMS(Z, cuDoubleComplex, double)
#undef WARPMARK_SOLVER_SYSTEMS
#undef WARPMARK_SOLVER_SYSTEM

// cusolverSpXcsrissymHost: checks whether a sparse matrix's pattern is symmetric. All arrays are in host
// memory; rows may have gaps between them (separate begin and end offsets).
inline cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int,
                                                const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                const int* csrEndPtrA, const int* csrColIndA, int* issym) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(m >= 0 && descrA != nullptr && csrRowPtrA != nullptr && csrEndPtrA != nullptr &&
                         csrColIndA != nullptr && issym != nullptr);
  const int base = descrA->base;
  const auto has = [&](int row, int column) {
    for (int k = csrRowPtrA[row] - base; k < csrEndPtrA[row] - base; ++k) {
      if (csrColIndA[k] - base == column) return true;
    }
    return false;
  };
  *issym = 1;
  for (int row = 0; row < m; ++row) {
    for (int k = csrRowPtrA[row] - base; k < csrEndPtrA[row] - base; ++k) {
      if (!has(csrColIndA[k] - base, row)) *issym = 0;
    }
  }
  return CUSOLVER_STATUS_SUCCESS;
}

// Batched QR solver (csrqrBatched) for matrices with a common sparsity pattern.
inline cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t* info) {
  WARPMARK_SOLVER_VALUES(info != nullptr);
  *info = new csrqrInfo;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info) {
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                        const cusparseMatDescr_t descrA, const int* csrRowPtr,
                                                        const int* csrColInd, csrqrInfo_t info) {
  return warpmark_solver::analyse_batch(handle, m, n, nnz, descrA, csrRowPtr, csrColInd, info);
}
#define WARPMARK_SOLVER_BATCH(L, T)                                                                       \
  inline cusolverStatus_t cusolverSp##L##csrqrBufferInfoBatched(                                          \
      cusolverSpHandle_t handle, int m, int n, int, const cusparseMatDescr_t, const T*, const int*,       \
      const int*, int count, csrqrInfo_t info, size_t* internalDataInBytes, size_t* workspaceInBytes) {   \
    return warpmark_solver::sizes_of_batch<T>(handle, m, n, count, info, internalDataInBytes,             \
                                              workspaceInBytes);                                          \
  }                                                                                                       \
  WARPMARK_IF_CALLED                                                                                      \
  inline cusolverStatus_t cusolverSp##L##csrqrsvBatched(                                                  \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, const T* csrVal, \
      const int* csrRowPtr, const int* csrColInd, const T* b, T* x, int count, csrqrInfo_t info,          \
      void* pBuffer) {                                                                                    \
    return warpmark_solver::solve_batch<T>(handle, m, n, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, x, \
                                           count, info, pBuffer);                                         \
  }
WARPMARK_SOLVER_BATCH(S, float)
WARPMARK_SOLVER_BATCH(D, double)
WARPMARK_SOLVER_BATCH(C, cuComplex)
WARPMARK_SOLVER_BATCH(Z, cuDoubleComplex)
#undef WARPMARK_SOLVER_BATCH
