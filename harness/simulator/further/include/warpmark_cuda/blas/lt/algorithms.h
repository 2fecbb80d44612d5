// cuBLASLt: heuristics, creation, validation and queries of the only algorithm.
#pragma once

#include "warpmark_cuda/blas/lt/matmul.h"

namespace warpmark_blas {

inline LtOperands lt_operands(cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a,
                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d) {
  return {lt_state<LtProduct>(product), lt_state<LtLayout>(a), lt_state<LtLayout>(b), lt_state<LtLayout>(c),
          lt_state<LtLayout>(d)};
}
template <typename... Objects>
bool lt_are_there(const Objects*... objects) {
  return (... && (objects != nullptr));
}
inline bool lt_is_ours(const cublasLtMatmulAlgo_t* algorithm) {
  return lt_state<LtAlgorithm>(algorithm).mark == LtAlgorithm::kOurs;
}
// Returns success if cuBLASLt supports a matrix product of these data types; checks neither sizes nor
// layouts.
inline cublasStatus_t lt_check_types(cublasComputeType_t compute, cudaDataType_t scale, cudaDataType_t a,
                                     cudaDataType_t b, cudaDataType_t c, cudaDataType_t d) {
  return with_lt_types(LtProduct{compute, scale}, LtLayout{a}, LtLayout{b}, LtLayout{c}, LtLayout{d},
                       [](auto, auto, auto) { return CUBLAS_STATUS_SUCCESS; });
}
inline cublasLtMatmulHeuristicResult_t lt_result(const LtAlgorithm& algorithm) {
  cublasLtMatmulHeuristicResult_t result{};
  lt_keep(&result.algo, algorithm);
  result.wavesCount = 1;
  return result;
}

}  // namespace warpmark_blas

inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[],
    int* returned) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!warpmark_blas::lt_are_there(product, Adesc, Bdesc, Cdesc, Ddesc, preference, results, returned) ||
      requested < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  const cublasStatus_t status = warpmark_blas::lt_operands(product, Adesc, Bdesc, Cdesc, Ddesc).check();
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = warpmark_blas::lt_result({});
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                               cudaDataType_t scale, cudaDataType_t Atype,
                                               cudaDataType_t Btype, cudaDataType_t Ctype,
                                               cudaDataType_t Dtype, int requested, int ids[],
                                               int* returned) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!warpmark_blas::lt_are_there(ids, returned) || requested < 1) return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  const cublasStatus_t status = warpmark_blas::lt_check_types(compute, scale, Atype, Btype, Ctype, Dtype);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  ids[0] = 0;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                             cudaDataType_t scale, cudaDataType_t Atype, cudaDataType_t Btype,
                                             cudaDataType_t Ctype, cudaDataType_t Dtype, int id,
                                             cublasLtMatmulAlgo_t* algo) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algo == nullptr || id != 0) return CUBLAS_STATUS_INVALID_VALUE;
  const cublasStatus_t status = warpmark_blas::lt_check_types(compute, scale, Atype, Btype, Ctype, Dtype);
  if (status == CUBLAS_STATUS_SUCCESS) warpmark_blas::lt_keep(algo, warpmark_blas::LtAlgorithm{});
  return status;
}
inline cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                              cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                              const cublasLtMatmulAlgo_t* algo,
                                              cublasLtMatmulHeuristicResult_t* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!warpmark_blas::lt_are_there(product, Adesc, Bdesc, Cdesc, Ddesc, algo, result) ||
      !warpmark_blas::lt_is_ours(algo))
    return CUBLAS_STATUS_INVALID_VALUE;
  const cublasStatus_t status = warpmark_blas::lt_operands(product, Adesc, Bdesc, Cdesc, Ddesc).check();
  *result = warpmark_blas::lt_result(warpmark_blas::lt_state<warpmark_blas::LtAlgorithm>(algo));
  result->state = status;
  return status;
}

// cublasLtMatmulAlgoCapGetAttribute: reports the capabilities of the simulator's single algorithm, which has
// no tile sizes or pipeline stages to select.
inline cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                        cublasLtMatmulAlgoCapAttributes_t attribute,
                                                        void* value, size_t bytes, size_t* written) {
  if (algo == nullptr || !warpmark_blas::lt_is_ours(algo)) return CUBLAS_STATUS_INVALID_VALUE;
  int can = 0;
  switch (attribute) {
    case CUBLASLT_ALGO_CAP_TILE_IDS:
    case CUBLASLT_ALGO_CAP_STAGES_IDS:
      if (written == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
      *written = 0;
      return CUBLAS_STATUS_SUCCESS;
    case CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS: {
      const uint64_t flags = CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA;
      return warpmark_blas::lt_answer(&flags, sizeof(flags), value, bytes, written);
    }
    case CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK:
      can = CUBLASLT_REDUCTION_SCHEME_MASK;
      break;
    case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
    case CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT:
    case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES:
      can = 1;
      break;
    case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK:
      can = 31;
      break;
    case CUBLASLT_ALGO_CAP_EPILOGUE_MASK:
      can = 1023;
      break;
    case CUBLASLT_ALGO_CAP_SPLITK_SUPPORT:
    case CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT:
    case CUBLASLT_ALGO_CAP_UPLO_SUPPORT:
    case CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX:
    case CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER:
    case CUBLASLT_ALGO_CAP_LD_NEGATIVE:
    case CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT:
      break;
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
  return warpmark_blas::lt_answer(&can, sizeof(can), value, bytes, written);
}
inline cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                           cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                           const void* value, size_t bytes) {
  if (algo == nullptr || !warpmark_blas::lt_is_ours(algo) || attribute == CUBLASLT_ALGO_CONFIG_ID)
    return CUBLAS_STATUS_INVALID_VALUE;
  return warpmark_blas::lt_set(warpmark_blas::kLtAlgorithm, algo, attribute, value, bytes);
}
inline cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                           cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                           void* value, size_t bytes, size_t* written) {
  if (algo == nullptr || !warpmark_blas::lt_is_ours(algo)) return CUBLAS_STATUS_INVALID_VALUE;
  return warpmark_blas::lt_get(warpmark_blas::kLtAlgorithm, algo, attribute, value, bytes, written);
}
