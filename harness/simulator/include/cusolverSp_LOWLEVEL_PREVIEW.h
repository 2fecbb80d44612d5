// Sparse cuSOLVER, step by step: csrqr on the device and on the host. csrlu and csrchol in steps are not
// simulated.
#pragma once

#include "cusolverSp.h"

#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

inline cusolverStatus_t cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t* info) {
  WARPMARK_SOLVER_VALUES(info != nullptr);
  *info = new csrqrInfoHost;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info) {
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}
#define WARPMARK_SOLVER_ANALYSIS(name, Info)                                                         \
  template <int = 0>                                                                                 \
  inline cusolverStatus_t name(cusolverSpHandle_t handle, int m, int n, int nnzA,                    \
                               const cusparseMatDescr_t descrA, const int* csrRowPtrA,               \
                               const int* csrColIndA, Info info) {                                   \
    return warpmark_solver::analyse_steps(handle, m, n, nnzA, descrA, csrRowPtrA, csrColIndA, info); \
  }
WARPMARK_SOLVER_ANALYSIS(cusolverSpXcsrqrAnalysis, csrqrInfo_t)
WARPMARK_SOLVER_ANALYSIS(cusolverSpXcsrqrAnalysisHost, csrqrInfoHost_t)
#undef WARPMARK_SOLVER_ANALYSIS

// place: empty for the device functions, or Host.
#define WARPMARK_SOLVER_STEPS(L, T, R, place)                                                                \
  inline cusolverStatus_t cusolverSp##L##csrqrBufferInfo##place(                                             \
      cusolverSpHandle_t handle, int m, int n, int, const cusparseMatDescr_t, const T*, const int*,          \
      const int*, csrqrInfo##place##_t info, size_t* internalDataInBytes, size_t* workspaceInBytes) {        \
    return warpmark_solver::sizes_of_steps<T>(handle, m, n, 1, info, internalDataInBytes, workspaceInBytes); \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverSp##L##csrqrSetup##place(                                                  \
      cusolverSpHandle_t handle, int m, int n, int, const cusparseMatDescr_t, const T* csrValA,              \
      const int* csrRowPtrA, const int* csrColIndA, T mu, csrqrInfo##place##_t info) {                       \
    return warpmark_solver::set_up_steps<T>(handle, m, n, csrValA, csrRowPtrA, csrColIndA, mu, info);        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverSp##L##csrqrFactor##place(cusolverSpHandle_t handle, int m, int n, int,    \
                                                            T* b, T* x, csrqrInfo##place##_t info, void*) {  \
    return warpmark_solver::factor_steps<T>(handle, m, n, b, x, info);                                       \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverSp##L##csrqrZeroPivot##place(                                              \
      cusolverSpHandle_t handle, csrqrInfo##place##_t info, R tol, int* position) {                          \
    return warpmark_solver::zero_pivot_of_steps<T>(handle, info, tol, position);                             \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverSp##L##csrqrSolve##place(cusolverSpHandle_t handle, int m, int n, T* b,    \
                                                           T* x, csrqrInfo##place##_t info, void*) {         \
    return warpmark_solver::solve_by_steps<T>(handle, m, n, b, x, info);                                     \
  }
#define WARPMARK_SOLVER_STEPS_OF(L, T, R) \
  WARPMARK_SOLVER_STEPS(L, T, R, )        \
  WARPMARK_SOLVER_STEPS(L, T, R, Host)
WARPMARK_SOLVER_STEPS_OF(S, float, float)
WARPMARK_SOLVER_STEPS_OF(D, double, double)
WARPMARK_SOLVER_STEPS_OF(C, cuComplex, float)
WARPMARK_SOLVER_STEPS_OF(Z, cuDoubleComplex, double)
#undef WARPMARK_SOLVER_STEPS_OF
#undef WARPMARK_SOLVER_STEPS
