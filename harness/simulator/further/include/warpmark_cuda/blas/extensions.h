// cuBLAS matrix products whose data types are given by enumerators.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/level3.h"

namespace warpmark_blas {

// Maps the run-time data types of a cuBLAS product to C++ types: calls work(scalar, factor, result) with one
// value each of the type of alpha and beta, of A's and B's elements, and of C's elements. Returns
// CUBLAS_STATUS_NOT_SUPPORTED for other combinations.
template <typename Work>
cublasStatus_t with_types(cudaDataType type_a, cudaDataType type_b, cudaDataType type_c,
                          cublasComputeType_t compute, const Work& work) {
  if (type_a != type_b) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool in_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  const bool in_float = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                        compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
                        compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool in_int = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
  const auto are = [&](cudaDataType of_a, cudaDataType of_c) { return type_a == of_a && type_c == of_c; };
  if (in_float && are(CUDA_R_32F, CUDA_R_32F)) return work(float(), float(), float());
  if (in_double && are(CUDA_R_64F, CUDA_R_64F)) return work(double(), double(), double());
  if (in_half && are(CUDA_R_16F, CUDA_R_16F)) return work(__half(), __half(), __half());
  if (in_float && are(CUDA_R_16F, CUDA_R_16F)) return work(float(), __half(), __half());
  if (in_float && are(CUDA_R_16F, CUDA_R_32F)) return work(float(), __half(), float());
  if (in_float && are(CUDA_R_16BF, CUDA_R_16BF)) return work(float(), __nv_bfloat16(), __nv_bfloat16());
  if (in_float && are(CUDA_R_16BF, CUDA_R_32F)) return work(float(), __nv_bfloat16(), float());
  if (in_float && are(CUDA_C_32F, CUDA_C_32F)) return work(cuComplex(), cuComplex(), cuComplex());
  if (in_double && are(CUDA_C_64F, CUDA_C_64F))
    return work(cuDoubleComplex(), cuDoubleComplex(), cuDoubleComplex());
  if (in_float && are(CUDA_R_8I, CUDA_R_32F)) return work(float(), static_cast<signed char>(0), float());
  if (in_int && are(CUDA_R_8I, CUDA_R_32I)) return work(int(), static_cast<signed char>(0), int());
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

struct Batch {
  long long stride_a = 0;
  long long stride_b = 0;
  long long stride_c = 0;
  Index count = 1;
};
WARPMARK_IF_CALLED
cublasStatus_t gemm_ex(cublasHandle_t handle, const GemmShape& shape, const void* alpha, const void* a,
                       cudaDataType type_a, const void* b, cudaDataType type_b, const void* beta, void* c,
                       cudaDataType type_c, cublasComputeType_t compute, const Batch& batch) {
  WARPMARK_BLAS_HANDLE(handle);
  return with_types(type_a, type_b, type_c, compute, [&](auto scalar, auto factor, auto result) {
    using S = decltype(scalar);
    using T = decltype(factor);
    using C = decltype(result);
    return gemm_batch<S, T, C>(handle, shape, static_cast<const S*>(alpha),
                               strided<const T>(static_cast<const T*>(a), batch.stride_a),
                               strided<const T>(static_cast<const T*>(b), batch.stride_b),
                               static_cast<const S*>(beta), strided<C>(static_cast<C*>(c), batch.stride_c),
                               batch.count);
  });
}
// cuBLAS batched matrix product with data types given by enumerators (gemmBatchedEx); the matrices are given
// by arrays of pointers in device memory.
WARPMARK_IF_CALLED
cublasStatus_t gemm_batched_ex(cublasHandle_t handle, const GemmShape& shape, const void* alpha,
                               const void* const a[], cudaDataType type_a, const void* const b[],
                               cudaDataType type_b, const void* beta, void* const c[], cudaDataType type_c,
                               cublasComputeType_t compute, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  return with_types(type_a, type_b, type_c, compute, [&](auto scalar, auto factor, auto result) {
    using S = decltype(scalar);
    using T = decltype(factor);
    using C = decltype(result);
    return gemm_batch<S, T, C>(handle, shape, static_cast<const S*>(alpha),
                               by_pointers<const T>(reinterpret_cast<const T* const*>(a)),
                               by_pointers<const T>(reinterpret_cast<const T* const*>(b)),
                               static_cast<const S*>(beta), by_pointers<C>(reinterpret_cast<C* const*>(c)),
                               count);
  });
}

// Returns the compute type that a matrix product's argument requests; older programs pass a cudaDataType
// instead of a cublasComputeType_t.
inline cublasComputeType_t compute_type(cudaDataType type) {
  return type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I                     ? CUBLAS_COMPUTE_32I
         : type == CUDA_R_16F                     ? CUBLAS_COMPUTE_16F
                                                  : CUBLAS_COMPUTE_32F;
}
inline cublasComputeType_t compute_type(cublasComputeType_t type) {
  return type;
}

}  // namespace warpmark_blas

#define WARPMARK_BLAS_EX(Compute)                                                                            \
  WARPMARK_IF_CALLED                                                                                         \
  inline cublasStatus_t cublasGemmEx(                                                                        \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B, cudaDataType Btype,      \
      int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc, Compute compute, cublasGemmAlgo_t) {  \
    return warpmark_blas::gemm_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, Atype, B,      \
                                  Btype, beta, C, Ctype, warpmark_blas::compute_type(compute), {});          \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cublasStatus_t cublasGemmStridedBatchedEx(                                                          \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B,       \
      cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype,         \
      int ldc, long long strideC, int count, Compute compute, cublasGemmAlgo_t) {                            \
    return warpmark_blas::gemm_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, Atype, B,      \
                                  Btype, beta, C, Ctype, warpmark_blas::compute_type(compute),               \
                                  {strideA, strideB, strideC, count});                                       \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cublasStatus_t cublasGemmBatchedEx(                                                                 \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const void* alpha, const void* const A[], cudaDataType Atype, int lda, const void* const B[],          \
      cudaDataType Btype, int ldb, const void* beta, void* const C[], cudaDataType Ctype, int ldc,           \
      int count, Compute compute, cublasGemmAlgo_t) {                                                        \
    return warpmark_blas::gemm_batched_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, Atype, \
                                          B, Btype, beta, C, Ctype, warpmark_blas::compute_type(compute),    \
                                          count);                                                            \
  }
WARPMARK_BLAS_EX(cublasComputeType_t)
WARPMARK_BLAS_EX(cudaDataType)
#undef WARPMARK_BLAS_EX

WARPMARK_IF_CALLED
inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                  int m, int n, int k, const __half* alpha, const __half* A, int lda,
                                  const __half* B, int ldb, const __half* beta, __half* C, int ldc) {
  return warpmark_blas::gemm<__half>(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C);
}

WARPMARK_IF_CALLED
inline cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                    int m, int n, int k, const float* alpha, const void* A,
                                    cudaDataType Atype, int lda, const void* B, cudaDataType Btype, int ldb,
                                    const float* beta, void* C, cudaDataType Ctype, int ldc) {
  return warpmark_blas::gemm_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, Atype, B, Btype,
                                beta, C, Ctype, CUBLAS_COMPUTE_32F, {});
}
