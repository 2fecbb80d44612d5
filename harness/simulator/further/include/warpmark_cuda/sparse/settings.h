// cuSPARSE: batches and attributes of sparse matrices.
#pragma once

#include "warpmark_cuda/sparse/descriptors.h"

// cusparseCsrSetStridedBatch: strides between the matrices of a batch are in elements. A stride of 0 for the
// offsets means that all matrices share the row offsets.
inline cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                                   int64_t offsetsBatchStride,
                                                   int64_t columnsValuesBatchStride) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && batchCount > 0 && offsetsBatchStride >= 0 &&
                         columnsValuesBatchStride >= 0);
  descr->batches = batchCount;
  descr->offset_stride = offsetsBatchStride;
  descr->value_stride = columnsValuesBatchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                                   int64_t batchStride) {
  return cusparseCsrSetStridedBatch(descr, batchCount, batchStride, batchStride);
}
inline cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descr, int* batchCount) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && batchCount != nullptr);
  *batchCount = descr->batches;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr, int batchCount,
                                                     int64_t batchStride) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && batchCount > 0 && batchStride >= 0);
  descr->batches = batchCount;
  descr->batch_stride = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int* batchCount,
                                                     int64_t* batchStride) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && batchCount != nullptr && batchStride != nullptr);
  *batchCount = descr->batches;
  *batchStride = descr->batch_stride;
  return CUSPARSE_STATUS_SUCCESS;
}

// Sets the fill mode or diagonal type of a sparse matrix; data points to a cusparseFillMode_t or
// cusparseDiagType_t.
inline cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr,
                                                  cusparseSpMatAttribute_t attribute, const void* data,
                                                  size_t dataSize) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && data != nullptr);
  if (attribute == CUSPARSE_SPMAT_FILL_MODE) {
    WARPMARK_SPARSE_VALUES(dataSize == sizeof descr->fill);
    descr->fill = *static_cast<const cusparseFillMode_t*>(data);
    return CUSPARSE_STATUS_SUCCESS;
  }
  WARPMARK_SPARSE_VALUES(attribute == CUSPARSE_SPMAT_DIAG_TYPE && dataSize == sizeof descr->diagonal);
  descr->diagonal = *static_cast<const cusparseDiagType_t*>(data);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr,
                                                  cusparseSpMatAttribute_t attribute, void* data,
                                                  size_t dataSize) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && data != nullptr);
  if (attribute == CUSPARSE_SPMAT_FILL_MODE) {
    WARPMARK_SPARSE_VALUES(dataSize == sizeof descr->fill);
    *static_cast<cusparseFillMode_t*>(data) = descr->fill;
    return CUSPARSE_STATUS_SUCCESS;
  }
  WARPMARK_SPARSE_VALUES(attribute == CUSPARSE_SPMAT_DIAG_TYPE && dataSize == sizeof descr->diagonal);
  *static_cast<cusparseDiagType_t*>(data) = descr->diagonal;
  return CUSPARSE_STATUS_SUCCESS;
}
