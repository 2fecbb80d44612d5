// cuBLAS: products of matrices whose types are told by enumerators.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/level3.h"

namespace warpmark_blas {

struct Batch {
  long long stride_a = 0;
  long long stride_b = 0;
  long long stride_c = 0;
  Index count = 1;
};

template <typename S, typename T, typename C>
cublasStatus_t gemm_of(cublasHandle_t handle, const GemmShape& shape, const void* alpha, const void* a,
                       const void* b, const void* beta, void* c, const Batch& batch) {
  return gemm_batch<S, T, C>(handle, shape, static_cast<const S*>(alpha),
                             AtStride<const T>{static_cast<const T*>(a), batch.stride_a},
                             AtStride<const T>{static_cast<const T*>(b), batch.stride_b},
                             static_cast<const S*>(beta), AtStride<C>{static_cast<C*>(c), batch.stride_c},
                             batch.count);
}

template <int = 0>
cublasStatus_t gemm_ex(cublasHandle_t handle, const GemmShape& shape, const void* alpha, const void* a,
                       cudaDataType type_a, const void* b, cudaDataType type_b, const void* beta, void* c,
                       cudaDataType type_c, cublasComputeType_t compute, const Batch& batch) {
  WARPMARK_BLAS_HANDLE(handle);
  if (type_a != type_b) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool in_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  const bool in_float = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                        compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
                        compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool in_int = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
  if (in_float && type_a == CUDA_R_32F && type_c == CUDA_R_32F)
    return gemm_of<float, float, float>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_double && type_a == CUDA_R_64F && type_c == CUDA_R_64F)
    return gemm_of<double, double, double>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_half && type_a == CUDA_R_16F && type_c == CUDA_R_16F)
    return gemm_of<__half, __half, __half>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_float && type_a == CUDA_R_16F && type_c == CUDA_R_16F)
    return gemm_of<float, __half, __half>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_float && type_a == CUDA_R_16F && type_c == CUDA_R_32F)
    return gemm_of<float, __half, float>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_float && type_a == CUDA_R_16BF && type_c == CUDA_R_16BF)
    return gemm_of<float, __nv_bfloat16, __nv_bfloat16>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_float && type_a == CUDA_R_16BF && type_c == CUDA_R_32F)
    return gemm_of<float, __nv_bfloat16, float>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_float && type_a == CUDA_C_32F && type_c == CUDA_C_32F)
    return gemm_of<cuComplex, cuComplex, cuComplex>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_float && type_a == CUDA_R_8I && type_c == CUDA_R_32F)
    return gemm_of<float, signed char, float>(handle, shape, alpha, a, b, beta, c, batch);
  if (in_int && type_a == CUDA_R_8I && type_c == CUDA_R_32I)
    return gemm_of<int, signed char, int>(handle, shape, alpha, a, b, beta, c, batch);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

// The compute type that older programs give as the type of a number.
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

#define WARPMARK_BLAS_EX(Compute)                                                                           \
  template <int = 0>                                                                                        \
  inline cublasStatus_t cublasGemmEx(                                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,       \
      const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B, cudaDataType Btype,     \
      int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc, Compute compute, cublasGemmAlgo_t) { \
    return warpmark_blas::gemm_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, Atype, B,     \
                                  Btype, beta, C, Ctype, warpmark_blas::compute_type(compute), {});         \
  }                                                                                                         \
  template <int = 0>                                                                                        \
  inline cublasStatus_t cublasGemmStridedBatchedEx(                                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,       \
      const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B,      \
      cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype,        \
      int ldc, long long strideC, int count, Compute compute, cublasGemmAlgo_t) {                           \
    return warpmark_blas::gemm_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, Atype, B,     \
                                  Btype, beta, C, Ctype, warpmark_blas::compute_type(compute),              \
                                  {strideA, strideB, strideC, count});                                      \
  }
WARPMARK_BLAS_EX(cublasComputeType_t)
WARPMARK_BLAS_EX(cudaDataType)
#undef WARPMARK_BLAS_EX

template <int = 0>
inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                  int m, int n, int k, const __half* alpha, const __half* A, int lda,
                                  const __half* B, int ldb, const __half* beta, __half* C, int ldc) {
  return warpmark_blas::gemm<__half>(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C);
}

template <int = 0>
inline cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                    int m, int n, int k, const float* alpha, const void* A,
                                    cudaDataType Atype, int lda, const void* B, cudaDataType Btype, int ldb,
                                    const float* beta, void* C, cudaDataType Ctype, int ldc) {
  return warpmark_blas::gemm_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, Atype, B, Btype,
                                beta, C, Ctype, CUBLAS_COMPUTE_32F, {});
}
