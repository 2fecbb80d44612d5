// cuSOLVER handles, settings, versions.
#pragma once

#include "warpmark_cuda/solver/types.h"

#define WARPMARK_SOLVER_OBJECT(Kind)                                                                         \
  inline cusolverStatus_t cusolver##Kind##Create(cusolver##Kind##Handle_t* handle) {                         \
    WARPMARK_SOLVER_VALUES(handle != nullptr);                                                               \
    int device = 0;                                                                                          \
    if (::cudaGetDevice(&device) != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;                     \
    *handle = new cusolver##Kind##Context;                                                                   \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  inline cusolverStatus_t cusolver##Kind##Destroy(cusolver##Kind##Handle_t handle) {                         \
    delete handle;                                                                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  inline cusolverStatus_t cusolver##Kind##SetStream(cusolver##Kind##Handle_t handle, cudaStream_t stream) {  \
    WARPMARK_SOLVER_HANDLE(handle);                                                                          \
    handle->stream = stream;                                                                                 \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  inline cusolverStatus_t cusolver##Kind##GetStream(cusolver##Kind##Handle_t handle, cudaStream_t* stream) { \
    WARPMARK_SOLVER_HANDLE(handle);                                                                          \
    WARPMARK_SOLVER_VALUES(stream != nullptr);                                                               \
    *stream = handle->stream;                                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }
WARPMARK_SOLVER_OBJECT(Dn)
WARPMARK_SOLVER_OBJECT(Sp)
#undef WARPMARK_SOLVER_OBJECT

inline cusolverStatus_t cusolverGetVersion(int* version) {
  WARPMARK_SOLVER_VALUES(version != nullptr);
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  WARPMARK_SOLVER_VALUES(value != nullptr);
  *value = type == MAJOR_VERSION   ? CUSOLVER_VER_MAJOR
           : type == MINOR_VERSION ? CUSOLVER_VER_MINOR
                                   : CUSOLVER_VER_PATCH;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  WARPMARK_SOLVER_VALUES(params != nullptr);
  *params = new cusolverDnParams;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t,
                                                cusolverAlgMode_t) {
  WARPMARK_SOLVER_VALUES(params != nullptr);
  return CUSOLVER_STATUS_SUCCESS;
}

// Parameters of the Jacobi methods (tolerance, number of sweeps). Eigenvalues and singular values are always
// sorted.
namespace warpmark_solver {

template <typename Info>
cusolverStatus_t create_rotations(Info** info) {
  WARPMARK_SOLVER_VALUES(info != nullptr);
  *info = new Info;
  if (::cudaMalloc(&(*info)->seen, 2 * sizeof(double)) == cudaSuccess) return CUSOLVER_STATUS_SUCCESS;
  delete *info;
  return CUSOLVER_STATUS_ALLOC_FAILED;
}
template <typename Info>
cusolverStatus_t destroy_rotations(Info* info) {
  if (info != nullptr) ::cudaFree(info->seen);
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}
// Returns a statistic of the last Jacobi call (sweeps or residual) to the host; synchronises the stream.
template <typename Number>
cusolverStatus_t give_seen(cusolverDnHandle_t handle, const warpmark_jacobi* info, int which,
                           Number* number) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(info != nullptr && number != nullptr);
  double seen = 0;
  if (::cudaStreamSynchronize(handle->stream) != cudaSuccess ||
      ::cudaMemcpy(&seen, info->seen + which, sizeof seen, cudaMemcpyDeviceToHost) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  *number = static_cast<Number>(seen);
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace warpmark_solver

#define WARPMARK_SOLVER_ROTATIONS(Name, Create, Destroy)                                               \
  inline cusolverStatus_t Create(Name##Info_t* info) {                                                 \
    return warpmark_solver::create_rotations(info);                                                    \
  }                                                                                                    \
  inline cusolverStatus_t Destroy(Name##Info_t info) {                                                 \
    return warpmark_solver::destroy_rotations(info);                                                   \
  }                                                                                                    \
  inline cusolverStatus_t cusolverDnX##Name##SetTolerance(Name##Info_t info, double tolerance) {       \
    WARPMARK_SOLVER_VALUES(info != nullptr && tolerance >= 0);                                         \
    info->tolerance = tolerance;                                                                       \
    return CUSOLVER_STATUS_SUCCESS;                                                                    \
  }                                                                                                    \
  inline cusolverStatus_t cusolverDnX##Name##SetMaxSweeps(Name##Info_t info, int max_sweeps) {         \
    WARPMARK_SOLVER_VALUES(info != nullptr && max_sweeps > 0);                                         \
    info->sweeps = max_sweeps;                                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                                    \
  }                                                                                                    \
  inline cusolverStatus_t cusolverDnX##Name##SetSortEig(Name##Info_t info, int) {                      \
    WARPMARK_SOLVER_VALUES(info != nullptr);                                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                                    \
  }                                                                                                    \
  inline cusolverStatus_t cusolverDnX##Name##GetSweeps(cusolverDnHandle_t handle, Name##Info_t info,   \
                                                       int* executed_sweeps) {                         \
    return warpmark_solver::give_seen(handle, info, 0, executed_sweeps);                               \
  }                                                                                                    \
  inline cusolverStatus_t cusolverDnX##Name##GetResidual(cusolverDnHandle_t handle, Name##Info_t info, \
                                                         double* residual) {                           \
    return warpmark_solver::give_seen(handle, info, 1, residual);                                      \
  }
WARPMARK_SOLVER_ROTATIONS(syevj, cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo)
WARPMARK_SOLVER_ROTATIONS(gesvdj, cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo)
#undef WARPMARK_SOLVER_ROTATIONS
