// cuSOLVER: cusolverDnXgeev. Like cuSOLVER 13.0, does not compute left eigenvectors.
#pragma once

#include "warpmark_cuda/solver/by_data_type.h"
#include "warpmark_cuda/solver/general.h"

namespace warpmark_solver {

template <typename T>
struct GeneralWork {
  using C = ComplexOf<Real<T>>;
  C* h;
  C* z;
  C* y;
  C* vectors;
  C* w;
  Rotation<C>* turns;
  Index* from;
  Member* members;
  bool* used;
  GeneralWork(void* memory, Index n, size_t* bytes = nullptr) {
    warpmark_lib::Scratch scratch(memory);
    h = scratch.take<C>(n * n);
    z = scratch.take<C>(n * n);
    y = scratch.take<C>(n * n);
    vectors = scratch.take<C>(n * n);
    w = scratch.take<C>(n);
    turns = scratch.take<Rotation<C>>(n);
    from = scratch.take<Index>(n);
    members = scratch.take<Member>(n);
    used = scratch.take<bool>(n);
    if (bytes != nullptr) *bytes = scratch.used();
  }
};

// W: complex numbers, or all real parts followed by all imaginary parts. VR: for a real matrix, the vector of
// a pair's first eigenvalue takes two columns, real and imaginary part.
template <typename T>
struct GeneralEigenvalues {
  using C = ComplexOf<Real<T>>;
  const T* a;
  Index leading;
  GeneralWork<T> work;
  Index n;
  C* w;
  Real<T>* parts;  // if W has separate parts
  T* right;        // null if not requested
  Index leading_right;
  int* info;
  __device__ void operator()(Index) {
    const Schur<C> schur{work.h, work.z, work.turns, n};
    for (Index at = threadIdx.x; at < n * n; at += blockDim.x) {
      work.h[at] = convert<C>(a[at % n + at / n * leading]);
      work.z[at] = C{at % n == at / n ? Real<T>(1) : 0, 0};
    }
    __syncthreads();
    schur.make_hessenberg();
    const Index missing = schur.make_triangular();
    __syncthreads();
    if (threadIdx.x == 0) {
      *info = static_cast<int>(missing);
      if constexpr (kIsComplex<T>) {
        for (Index k = 0; k < n; ++k) {
          work.w[k] = schur.at(k, k);
          work.from[k] = k;
        }
      } else {
        pair_up(schur, work.w, work.from, work.members, work.used);
      }
    }
    __syncthreads();
    for (Index k = threadIdx.x; k < n; k += blockDim.x) {
      if (parts == nullptr) {
        w[k] = work.w[k];
      } else {
        parts[k] = work.w[k].x;
        parts[k + n] = work.w[k].y;
      }
      if (right != nullptr) store_vector(schur, k);
    }
  }
  __device__ void store_vector(const Schur<C>& schur, Index k) {
    C* vector = work.vectors + k * n;
    T* to = right + k * leading_right;
    schur.vector_of(work.from[k], work.y + k * n, vector);
    for (Index i = 0; i < n; ++i) {
      if constexpr (kIsComplex<T>)
        to[i] = vector[i];
      else
        to[i] = work.members[k] == Member::second ? vector[i].y : vector[i].x;
    }
  }
};

inline bool is_general(cusolverEigMode_t right, Index n, Index lda, Index ldvl, Index ldvr) {
  return fits(n, lda) && ldvl >= 1 && ldvr >= 1 &&
         (right == CUSOLVER_EIG_MODE_NOVECTOR || (right == CUSOLVER_EIG_MODE_VECTOR && fits(n, ldvr)));
}
// Valid types of W: the type of A, or the complex type of the same precision.
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
  *bytesOnHost = 0;
  return warpmark_solver::with_type(typeA, [&](auto number) {
    const warpmark_solver::GeneralWork<decltype(number)> measured(nullptr, n, bytesOnDevice);
    return CUSOLVER_STATUS_SUCCESS;
  });
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
    const bool in_parts = typeW == CUDA_R_32F || typeW == CUDA_R_64F;
    return warpmark_solver::status_of(warpmark_solver::for_each_block(
        1, handle->stream,
        warpmark_solver::GeneralEigenvalues<T>{
            static_cast<const T*>(A), lda, warpmark_solver::GeneralWork<T>(work, n), n,
            static_cast<warpmark_solver::ComplexOf<R>*>(W), in_parts ? static_cast<R*>(W) : nullptr,
            vectors ? static_cast<T*>(VR) : nullptr, ldvr, info}));
  });
}
