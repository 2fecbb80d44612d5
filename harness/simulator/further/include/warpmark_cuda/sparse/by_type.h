// cuSPARSE functions with the type in their name and without data descriptors: sorting, conversions, sums,
// incomplete factorisations, tridiagonal systems. Indices are ints.
#pragma once

#include "warpmark_cuda/sparse/conversions.h"
#include "warpmark_cuda/sparse/factors.h"
#include "warpmark_cuda/sparse/generic.h"

WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* cooRowInd, int nnz, int m,
                                         int* csrRowPtr, cusparseIndexBase_t base) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(nnz >= 0 && m >= 0 && cooRowInd != nullptr && csrRowPtr != nullptr);
  using namespace warpmark_sparse;
  return status_of(
      for_each_index(Index{m} + 1, handle->stream, OffsetOfRow{narrow(cooRowInd), nnz, csrRowPtr, base}));
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* csrRowPtr, int nnz, int m,
                                         int* cooRowInd, cusparseIndexBase_t base) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(nnz >= 0 && m >= 0 && cooRowInd != nullptr && csrRowPtr != nullptr);
  using namespace warpmark_sparse;
  return status_of(for_each_index(m, handle->stream, RowOfElements{csrRowPtr, cooRowInd, base}));
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(n >= 0 && p != nullptr);
  return warpmark_sparse::status_of(
      warpmark_sparse::for_each_index(n, handle->stream, warpmark_sparse::CountUp{p}));
}

inline cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int nnz, const int*,
                                                       const int*, size_t* bytes) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(nnz >= 0 && bytes != nullptr);
  *bytes = 3 * sizeof(int) * static_cast<size_t>(nnz > 0 ? nnz : 1);
  return CUSPARSE_STATUS_SUCCESS;
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int nnz, int* rows,
                                              int* columns, int* P, void* buffer) {
  return warpmark_sparse::sort_coordinates(handle, nnz, rows, columns, P, buffer);
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int, int, int nnz, int* rows,
                                                 int* columns, int* P, void* buffer) {
  return warpmark_sparse::sort_coordinates(handle, nnz, columns, rows, P, buffer);
}
#define WARPMARK_SPARSE_SORT(Name, lines)                                                                  \
  inline cusparseStatus_t cusparseX##Name##_bufferSizeExt(cusparseHandle_t handle, int, int, int,          \
                                                          const int*, const int*, size_t* bytes) {         \
    return warpmark_sparse::needs_no_buffer(handle, bytes);                                                \
  }                                                                                                        \
  WARPMARK_IF_CALLED                                                                                       \
  inline cusparseStatus_t cusparseX##Name(cusparseHandle_t handle, [[maybe_unused]] int m,                 \
                                          [[maybe_unused]] int n, int nnz, const cusparseMatDescr_t descr, \
                                          const int* offsets, int* indices, int* P, void*) {               \
    WARPMARK_SPARSE_HANDLE(handle);                                                                        \
    WARPMARK_SPARSE_VALUES(nnz >= 0 && descr != nullptr && offsets != nullptr && indices != nullptr);      \
    return warpmark_sparse::status_of(warpmark_sparse::for_each_index(                                     \
        lines, handle->stream, warpmark_sparse::SortRow{offsets, indices, P, descr->base}));               \
  }
WARPMARK_SPARSE_SORT(csrsort, m)
WARPMARK_SPARSE_SORT(cscsort, n)
#undef WARPMARK_SPARSE_SORT

inline cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void*,
                                                      const int*, const int*, void*, int*, int*, cudaDataType,
                                                      cusparseAction_t, cusparseIndexBase_t,
                                                      cusparseCsr2CscAlg_t, size_t* bytes) {
  return warpmark_sparse::needs_no_buffer(handle, bytes);
}
WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* csrVal,
                                           const int* csrRowPtr, const int* csrColInd, void* cscVal,
                                           int* cscColPtr, int* cscRowInd, cudaDataType type,
                                           cusparseAction_t action, cusparseIndexBase_t base,
                                           cusparseCsr2CscAlg_t, void*) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(m >= 0 && n >= 0 && nnz >= 0 && csrRowPtr != nullptr && cscColPtr != nullptr);
  return warpmark_sparse::with_type(type, [&](auto number) {
    using T = decltype(number);
    T* const to = action == CUSPARSE_ACTION_NUMERIC ? static_cast<T*>(cscVal) : nullptr;
    return warpmark_sparse::status_of(warpmark_sparse::for_each_index(
        1, handle->stream,
        warpmark_sparse::Transpose<T>{m, n, static_cast<const T*>(csrVal), csrRowPtr, csrColInd, to,
                                      cscColPtr, cscRowInd, base}));
  });
}

WARPMARK_IF_CALLED
inline cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                             const cusparseMatDescr_t descrA, int nnzA, const int* rowsA,
                                             const int* colsA, const cusparseMatDescr_t descrB, int nnzB,
                                             const int* rowsB, const int* colsB,
                                             const cusparseMatDescr_t descrC, int* rowsC, int* total, void*) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(m >= 0 && n >= 0 && descrA != nullptr && descrB != nullptr && descrC != nullptr &&
                         rowsC != nullptr);
  using warpmark_sparse::rows_of;
  return warpmark_sparse::count_sum(handle, rows_of<float>(*descrA, m, nnzA, nullptr, rowsA, colsA),
                                    rows_of<float>(*descrB, m, nnzB, nullptr, rowsB, colsB), descrC->base,
                                    rowsC, total);
}

// Defines cuSPARSE's incomplete factorisations (csrilu02, csric02) for one type. First parameters: the type's
// letter, the type.
#define WARPMARK_SPARSE_FACTOR(L, T, Name, Info, Work)                                                \
  inline cusparseStatus_t cusparse##L##Name##_bufferSize(cusparseHandle_t handle, int, int,           \
                                                         const cusparseMatDescr_t, T*, const int*,    \
                                                         const int*, Info##_t, int* bytes) {          \
    WARPMARK_SPARSE_HANDLE(handle);                                                                   \
    WARPMARK_SPARSE_VALUES(bytes != nullptr);                                                         \
    *bytes = static_cast<int>(warpmark_sparse::kNoBuffer);                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                   \
  }                                                                                                   \
  inline cusparseStatus_t cusparse##L##Name##_bufferSizeExt(cusparseHandle_t handle, int, int,        \
                                                            const cusparseMatDescr_t, T*, const int*, \
                                                            const int*, Info##_t, size_t* bytes) {    \
    return warpmark_sparse::needs_no_buffer(handle, bytes);                                           \
  }                                                                                                   \
  inline cusparseStatus_t cusparse##L##Name##_analysis(                                               \
      cusparseHandle_t handle, int, int, const cusparseMatDescr_t, const T*, const int*, const int*,  \
      Info##_t info, cusparseSolvePolicy_t, void*) {                                                  \
    WARPMARK_SPARSE_HANDLE(handle);                                                                   \
    WARPMARK_SPARSE_VALUES(info != nullptr);                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                                                   \
  }                                                                                                   \
  WARPMARK_IF_CALLED                                                                                  \
  inline cusparseStatus_t cusparse##L##Name(                                                          \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* values,            \
      const int* offsets, const int* columns, Info##_t info, cusparseSolvePolicy_t, void*) {          \
    return warpmark_sparse::factor<warpmark_sparse::Work, T>(handle, m, nnz, descrA, values, offsets, \
                                                             columns, info);                          \
  }
#define WARPMARK_SPARSE_INFO(Name, Create, Destroy, Info)                                     \
  inline cusparseStatus_t Create(Info##_t* info) {                                            \
    return warpmark_sparse::create_info(info);                                                \
  }                                                                                           \
  inline cusparseStatus_t Destroy(Info##_t info) {                                            \
    return warpmark_sparse::destroy_info(info);                                               \
  }                                                                                           \
  inline cusparseStatus_t cusparseX##Name##_zeroPivot(cusparseHandle_t handle, Info##_t info, \
                                                      int* position) {                        \
    return warpmark_sparse::zero_pivot(handle, info, position);                               \
  }
#define WARPMARK_SPARSE_OF_TYPE(L, T)                                                                       \
  WARPMARK_SPARSE_FACTOR(L, T, csrilu02, csrilu02Info, IncompleteLu)                                        \
  WARPMARK_SPARSE_FACTOR(L, T, csric02, csric02Info, IncompleteCholesky)                                    \
  inline cusparseStatus_t cusparse##L##csrgeam2_bufferSizeExt(                                              \
      cusparseHandle_t handle, int, int, const T*, const cusparseMatDescr_t, int, const T*, const int*,     \
      const int*, const T*, const cusparseMatDescr_t, int, const T*, const int*, const int*,                \
      const cusparseMatDescr_t, const T*, const int*, const int*, size_t* bytes) {                          \
    return warpmark_sparse::needs_no_buffer(handle, bytes);                                                 \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline cusparseStatus_t cusparse##L##csrgeam2(                                                            \
      cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA, int nnzA,     \
      const T* valuesA, const int* rowsA, const int* colsA, const T* beta, const cusparseMatDescr_t descrB, \
      int nnzB, const T* valuesB, const int* rowsB, const int* colsB, const cusparseMatDescr_t descrC,      \
      T* valuesC, int* rowsC, int* colsC, void*) {                                                          \
    WARPMARK_SPARSE_HANDLE(handle);                                                                         \
    WARPMARK_SPARSE_VALUES(m >= 0 && n >= 0 && alpha != nullptr && beta != nullptr && descrA != nullptr &&  \
                           descrB != nullptr && descrC != nullptr);                                         \
    using namespace warpmark_sparse;                                                                        \
    return status_of(for_each_index(m, handle->stream,                                                      \
                                    AddRows<T>{rows_of<T>(*descrA, m, nnzA, valuesA, rowsA, colsA),         \
                                               rows_of<T>(*descrB, m, nnzB, valuesB, rowsB, colsB),         \
                                               rows_of<T>(*descrC, m, 0, valuesC, rowsC, colsC), nullptr,   \
                                               scalar<T>(handle, alpha), scalar<T>(handle, beta)}));        \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline cusparseStatus_t cusparse##L##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m,   \
                                           int n, const cusparseMatDescr_t, const T* A, int lda,            \
                                           int* nnzPerRowCol, int* total) {                                 \
    return warpmark_sparse::nnz<T>(handle, direction, m, n, A, lda, nnzPerRowCol, total);                   \
  }                                                                                                         \
  WARPMARK_SPARSE_DIAGONALS(L, T, gtsv2, true)                                                              \
  WARPMARK_SPARSE_DIAGONALS(L, T, gtsv2_nopivot, false)                                                     \
  inline cusparseStatus_t cusparse##L##gtsv2StridedBatch_bufferSizeExt(                                     \
      cusparseHandle_t handle, int m, const T*, const T*, const T*, const T*, int batchCount, int,          \
      size_t* bytes) {                                                                                      \
    return warpmark_sparse::bytes_for_three_diagonals<T>(handle, m, batchCount, bytes);                     \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline cusparseStatus_t cusparse##L##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl,       \
                                                         const T* d, const T* du, T* x, int batchCount,     \
                                                         int batchStride, void* buffer) {                   \
    return warpmark_sparse::solve_three_diagonals<T>(handle, m, batchCount, dl, d, du, x, batchStride,      \
                                                     batchStride, buffer, false);                           \
  }
#define WARPMARK_SPARSE_DIAGONALS(L, T, Name, exchanges)                                                     \
  inline cusparseStatus_t cusparse##L##Name##_bufferSizeExt(                                                 \
      cusparseHandle_t handle, int m, int n, const T*, const T*, const T*, const T*, int, size_t* bytes) {   \
    return warpmark_sparse::bytes_for_three_diagonals<T>(handle, m, n, bytes);                               \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusparseStatus_t cusparse##L##Name(cusparseHandle_t handle, int m, int n, const T* dl, const T* d,  \
                                            const T* du, T* B, int ldb, void* buffer) {                      \
    return warpmark_sparse::solve_three_diagonals<T>(handle, m, n, dl, d, du, B, 0, ldb, buffer, exchanges); \
  }
WARPMARK_SPARSE_INFO(csrilu02, cusparseCreateCsrilu02Info, cusparseDestroyCsrilu02Info, csrilu02Info)
WARPMARK_SPARSE_INFO(csric02, cusparseCreateCsric02Info, cusparseDestroyCsric02Info, csric02Info)
WARPMARK_SPARSE_OF_TYPE(S, float)
WARPMARK_SPARSE_OF_TYPE(D, double)
WARPMARK_SPARSE_OF_TYPE(C, cuComplex)
WARPMARK_SPARSE_OF_TYPE(Z, cuDoubleComplex)
#undef WARPMARK_SPARSE_OF_TYPE
#undef WARPMARK_SPARSE_DIAGONALS
#undef WARPMARK_SPARSE_INFO
#undef WARPMARK_SPARSE_FACTOR
