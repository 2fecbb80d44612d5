// cuSOLVER: cusolverDnXgeev. Like cuSOLVER 13.0, does not compute left eigenvectors.
#pragma once

#include "warpmark_cuda/solver/by_data_type.h"

namespace warpmark_solver {

template <typename R>
using ComplexOf = std::conditional_t<sizeof(R) == 4, cuComplex, cuDoubleComplex>;

inline Index general_work(Index n) {
  return 4 * n * n + 4 * n;  // in elements
}

inline bool is_general(cusolverEigMode_t right, Index n, Index lda, Index ldvl, Index ldvr) {
  return fits(n, lda) && ldvl >= 1 && ldvr >= 1 &&
         (right == CUSOLVER_EIG_MODE_NOVECTOR || (right == CUSOLVER_EIG_MODE_VECTOR && fits(n, ldvr)));
}
// cusolverDnXgeev: checks the data type of the eigenvalues W, which must be that of A or the complex type of
// the same precision.
inline bool is_value_type(cudaDataType of_a, cudaDataType of_w) {
  return of_w == of_a || (of_a == CUDA_R_32F && of_w == CUDA_C_32F) ||
         (of_a == CUDA_R_64F && of_w == CUDA_C_64F);
}

}  // namespace warpmark_solver

inline cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                                   cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
                                                   int64_t n, cudaDataType typeA, const void*, int64_t lda,
                                                   cudaDataType typeW, const void*, cudaDataType, const void*,
                                                   int64_t ldvl, cudaDataType, const void*, int64_t ldvr,
                                                   cudaDataType, size_t* bytesOnDevice, size_t* bytesOnHost) {
  WARPMARK_SOLVER_HANDLE(handle);
  if (jobvl != CUSOLVER_EIG_MODE_NOVECTOR) return CUSOLVER_STATUS_INTERNAL_ERROR;
  WARPMARK_SOLVER_VALUES(warpmark_solver::is_general(jobvr, n, lda, ldvl, ldvr) && bytesOnDevice != nullptr &&
                         bytesOnHost != nullptr);
  if (!warpmark_solver::is_value_type(typeA, typeW)) return CUSOLVER_STATUS_INVALID_VALUE;
  return warpmark_solver::give_sizes(handle, true, warpmark_solver::general_work(n), typeA, bytesOnDevice,
                                     bytesOnHost);
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t,
                                        cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                        cudaDataType typeA, void* A, int64_t lda, cudaDataType typeW, void* W,
                                        cudaDataType typeVL, void*, int64_t ldvl, cudaDataType typeVR,
                                        void* VR, int64_t ldvr, cudaDataType, void* work, size_t, void*,
                                        size_t, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  if (jobvl != CUSOLVER_EIG_MODE_NOVECTOR) return CUSOLVER_STATUS_INTERNAL_ERROR;
  WARPMARK_SOLVER_VALUES(warpmark_solver::is_general(jobvr, n, lda, ldvl, ldvr) && typeVL == typeA &&
                         typeVR == typeA && warpmark_solver::is_value_type(typeA, typeW) && A != nullptr &&
                         W != nullptr && work != nullptr && info != nullptr);
  const bool vectors = jobvr == CUSOLVER_EIG_MODE_VECTOR;
  WARPMARK_SOLVER_VALUES(!vectors || VR != nullptr);
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    using R = warpmark_solver::Real<T>;
    using warpmark_solver::Access;
    using warpmark_solver::one;
    warpmark_solver::Routine<T> routine("geev", 1, {n});
    routine.matrix(Access::read, one(static_cast<const T*>(A), lda), n, n);
    if (typeW == CUDA_R_32F || typeW == CUDA_R_64F)
      routine.matrix(Access::write, one(static_cast<R*>(W), n > 1 ? n : 1), n, 2);
    else
      routine.array(Access::write, static_cast<warpmark_solver::ComplexOf<R>*>(W), n);
    return routine
        .matrix(Access::write, one(static_cast<T*>(vectors ? VR : nullptr), vectors ? ldvr : lda), n, n)
        .array(Access::work, static_cast<T*>(work), warpmark_solver::general_work(n))
        .run(handle, info);
  });
}
