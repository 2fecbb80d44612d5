// cuSPARSE's generic API, with data descriptors. No product needs a buffer.
#pragma once

#include "warpmark_cuda/sparse/conversions.h"
#include "warpmark_cuda/sparse/descriptors.h"
#include "warpmark_cuda/sparse/products.h"
#include "warpmark_cuda/sparse/triangular.h"

namespace warpmark_sparse {

inline cusparseStatus_t needs_no_buffer(cusparseHandle_t handle, size_t* bytes) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(bytes != nullptr);
  *bytes = kNoBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t nothing_to_do(cusparseHandle_t handle) {
  WARPMARK_SPARSE_HANDLE(handle);
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace warpmark_sparse

#define WARPMARK_SPARSE_LIST(...) __VA_ARGS__
// Defines the three functions of one of cuSPARSE's sparse products (SpMV, SpMM, ...): _bufferSize,
// _preprocess and execution.
#define WARPMARK_SPARSE_PRODUCT(Name, parameters, Algorithm, call)                                         \
  inline cusparseStatus_t cusparse##Name##_bufferSize(                                                     \
      cusparseHandle_t handle, WARPMARK_SPARSE_LIST parameters, Algorithm, size_t* bufferSize) {           \
    return warpmark_sparse::needs_no_buffer(handle, bufferSize);                                           \
  }                                                                                                        \
  inline cusparseStatus_t cusparse##Name##_preprocess(cusparseHandle_t handle,                             \
                                                      WARPMARK_SPARSE_LIST parameters, Algorithm, void*) { \
    return warpmark_sparse::nothing_to_do(handle);                                                         \
  }                                                                                                        \
  WARPMARK_IF_CALLED                                                                                       \
  inline cusparseStatus_t cusparse##Name(cusparseHandle_t handle, WARPMARK_SPARSE_LIST parameters,         \
                                         Algorithm, void*) {                                               \
    return call;                                                                                           \
  }
WARPMARK_SPARSE_PRODUCT(SpMV,
                        (cusparseOperation_t opA, const void* alpha, cusparseConstSpMatDescr_t matA,
                         cusparseConstDnVecDescr_t vecX, const void* beta, cusparseDnVecDescr_t vecY,
                         cudaDataType type),
                        cusparseSpMVAlg_t,
                        warpmark_sparse::spmv<>(handle, opA, alpha, matA, vecX, beta, vecY, type))
WARPMARK_SPARSE_PRODUCT(SpMM,
                        (cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
                         cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void* beta,
                         cusparseDnMatDescr_t matC, cudaDataType type),
                        cusparseSpMMAlg_t,
                        warpmark_sparse::spmm<>(handle, opA, opB, alpha, matA, matB, beta, matC, type))
WARPMARK_SPARSE_PRODUCT(SDDMM,
                        (cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
                         cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void* beta,
                         cusparseSpMatDescr_t matC, cudaDataType type),
                        cusparseSDDMMAlg_t,
                        warpmark_sparse::sddmm<>(handle, opA, opB, alpha, matA, matB, beta, matC, type))
#undef WARPMARK_SPARSE_PRODUCT

inline cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                                cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t,
                                                const void*, cudaDataType, size_t* bufferSize) {
  return warpmark_sparse::needs_no_buffer(handle, bufferSize);
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                                     cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                     void* result, cudaDataType type, void*) {
  return warpmark_sparse::spvv<>(handle, opX, vecX, vecY, result, type);
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                                      cusparseConstSpVecDescr_t vecX, const void* beta,
                                      cusparseDnVecDescr_t vecY) {
  WARPMARK_SPARSE_VALUES(alpha != nullptr && beta != nullptr);
  return warpmark_sparse::with_vectors(handle, vecX, vecY, [&](auto x, auto* y) {
    using T = std::remove_pointer_t<decltype(y)>;
    using namespace warpmark_sparse;
    const cudaError_t error =
        for_each_index(vecY->size, handle->stream, ScaleVector<T>{scalar<T>(handle, beta), y});
    if (error != cudaSuccess) return error;
    return for_each_index(vecX->count, handle->stream, AddElements<T>{scalar<T>(handle, alpha), x, y});
  });
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                       cusparseSpVecDescr_t vecX) {
  return warpmark_sparse::with_vectors(handle, vecX, vecY, [&](auto x, auto* y) {
    using T = std::remove_pointer_t<decltype(y)>;
    return warpmark_sparse::for_each_index(vecX->count, handle->stream,
                                           warpmark_sparse::GatherElements<T>{x, y});
  });
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                        cusparseDnVecDescr_t vecY) {
  return warpmark_sparse::with_vectors(handle, vecX, vecY, [&](auto x, auto* y) {
    using T = std::remove_pointer_t<decltype(y)>;
    return warpmark_sparse::for_each_index(vecX->count, handle->stream,
                                           warpmark_sparse::ScatterElements<T>{x, y});
  });
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c, const void* s,
                                    cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  WARPMARK_SPARSE_VALUES(c != nullptr && s != nullptr);
  return warpmark_sparse::with_vectors(handle, vecX, vecY, [&](auto x, auto* y) {
    using T = std::remove_pointer_t<decltype(y)>;
    using namespace warpmark_sparse;
    return for_each_index(vecX->count, handle->stream,
                          RotateElements<T>{scalar<T>(handle, c), scalar<T>(handle, s), x, y});
  });
}

// Defines the functions of cuSPARSE's triangular solves (SpSV, SpSM): descriptor, buffer size, analysis
// (which only checks the arguments) and solution.
#define WARPMARK_SPARSE_TRIANGULAR(Name, parameters, arguments, check, solve)                              \
  inline cusparseStatus_t cusparse##Name##_createDescr(cusparse##Name##Descr_t* descr) {                   \
    return warpmark_sparse::create(descr, {}, true);                                                       \
  }                                                                                                        \
  inline cusparseStatus_t cusparse##Name##_destroyDescr(cusparse##Name##Descr_t descr) {                   \
    delete descr;                                                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                                                        \
  }                                                                                                        \
  inline cusparseStatus_t cusparse##Name##_bufferSize(                                                     \
      cusparseHandle_t handle, WARPMARK_SPARSE_LIST parameters, cudaDataType, cusparse##Name##Alg_t,       \
      cusparse##Name##Descr_t, size_t* bufferSize) {                                                       \
    return warpmark_sparse::needs_no_buffer(handle, bufferSize);                                           \
  }                                                                                                        \
  inline cusparseStatus_t cusparse##Name##_analysis(                                                       \
      cusparseHandle_t handle, WARPMARK_SPARSE_LIST parameters, cudaDataType type, cusparse##Name##Alg_t,  \
      cusparse##Name##Descr_t descr, void*) {                                                              \
    const cusparseStatus_t status = check(handle, WARPMARK_SPARSE_LIST arguments, type, descr);            \
    if (status == CUSPARSE_STATUS_SUCCESS) descr->analysed = true;                                         \
    return status;                                                                                         \
  }                                                                                                        \
  WARPMARK_IF_CALLED                                                                                       \
  inline cusparseStatus_t cusparse##Name##_solve(cusparseHandle_t handle, WARPMARK_SPARSE_LIST parameters, \
                                                 cudaDataType type, cusparse##Name##Alg_t,                 \
                                                 cusparse##Name##Descr_t descr) {                          \
    return solve(handle, WARPMARK_SPARSE_LIST arguments, type, descr);                                     \
  }
WARPMARK_SPARSE_TRIANGULAR(SpSV,
                           (cusparseOperation_t opA, const void* alpha, cusparseConstSpMatDescr_t matA,
                            cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY),
                           (opA, alpha, matA, vecX, vecY), warpmark_sparse::check_spsv,
                           warpmark_sparse::spsv<>)
WARPMARK_SPARSE_TRIANGULAR(SpSM,
                           (cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
                            cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                            cusparseDnMatDescr_t matC),
                           (opA, opB, alpha, matA, matB, matC), warpmark_sparse::check_spsm,
                           warpmark_sparse::spsm<>)
#undef WARPMARK_SPARSE_TRIANGULAR

inline cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr) {
  return warpmark_sparse::create(descr, {}, true);
}
inline cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}
// cusparseSpGEMM_workEstimation: a first call with a null buffer returns the required size, as in cuSPARSE.
inline cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void*,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void*, cusparseSpMatDescr_t matC,
    cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t* bufferSize1, void* buffer1) {
  const cusparseStatus_t wrong =
      warpmark_sparse::check_spgemm(handle, opA, opB, matA, matB, matC, type, descr);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (buffer1 != nullptr) {
    descr->estimated = true;
    return CUSPARSE_STATUS_SUCCESS;
  }
  return warpmark_sparse::needs_no_buffer(handle, bufferSize1);
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void*,
                                               cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                               const void*, cusparseSpMatDescr_t matC, cudaDataType type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                               size_t* bufferSize2, void* buffer2) {
  const cusparseStatus_t wrong =
      warpmark_sparse::check_spgemm(handle, opA, opB, matA, matB, matC, type, descr);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  WARPMARK_SPARSE_VALUES(descr->estimated);
  if (buffer2 != nullptr) return warpmark_sparse::compute_spgemm<>(handle, matA, matB, matC, descr, buffer2);
  WARPMARK_SPARSE_VALUES(bufferSize2 != nullptr);
  *bufferSize2 = warpmark_sparse::bytes_for_offsets(*matC);
  return CUSPARSE_STATUS_SUCCESS;
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                            cusparseOperation_t opB, const void* alpha,
                                            cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                            const void* beta, cusparseSpMatDescr_t matC, cudaDataType type,
                                            cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  const cusparseStatus_t wrong =
      warpmark_sparse::check_spgemm(handle, opA, opB, matA, matB, matC, type, descr);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return warpmark_sparse::copy_spgemm<>(handle, alpha, matA, matB, beta, matC, descr);
}

inline cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t,
                                                         cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t,
                                                         size_t* bufferSize) {
  return warpmark_sparse::needs_no_buffer(handle, bufferSize);
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                              cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t, void*) {
  return warpmark_sparse::to_dense<>(handle, matA, matB);
}
inline cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t,
                                                         cusparseSpMatDescr_t matB,
                                                         cusparseDenseToSparseAlg_t, size_t* bufferSize) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(matB != nullptr && bufferSize != nullptr);
  *bufferSize = (static_cast<size_t>(warpmark_sparse::stored_rows(*matB)) + 1) * sizeof(long long);
  return CUSPARSE_STATUS_SUCCESS;
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                       cusparseConstDnMatDescr_t matA,
                                                       cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                       void* buffer) {
  return warpmark_sparse::count_elements<>(handle, matA, matB, buffer);
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                      cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                      void* buffer) {
  return warpmark_sparse::take_elements<>(handle, matA, matB, buffer);
}
#undef WARPMARK_SPARSE_LIST
