// cuSPARSE handles, settings, status strings, and descriptors of vectors and matrices.
#pragma once

#include "warpmark_cuda/sparse/views.h"

inline cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  int device = 0;
  if (::cudaGetDevice(&device) != cudaSuccess) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(version != nullptr);
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  WARPMARK_SPARSE_VALUES(value != nullptr);
  *value = type == MAJOR_VERSION   ? CUSPARSE_VER_MAJOR
           : type == MINOR_VERSION ? CUSPARSE_VER_MINOR
                                   : CUSPARSE_VER_PATCH;
  return CUSPARSE_STATUS_SUCCESS;
}
inline const char* cusparseGetErrorName(cusparseStatus_t status) {
  switch (status) {
#define WARPMARK_SPARSE_STATUS(name) \
  case name:                         \
    return #name
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_SUCCESS);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_NOT_INITIALIZED);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_ALLOC_FAILED);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_INVALID_VALUE);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_ARCH_MISMATCH);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_MAPPING_ERROR);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_EXECUTION_FAILED);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_INTERNAL_ERROR);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_ZERO_PIVOT);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_NOT_SUPPORTED);
    WARPMARK_SPARSE_STATUS(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
#undef WARPMARK_SPARSE_STATUS
  }
  return "unrecognized error code";
}
inline const char* cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
    case CUSPARSE_STATUS_SUCCESS:
      return "success";
    case CUSPARSE_STATUS_NOT_INITIALIZED:
      return "initialization error";
    case CUSPARSE_STATUS_ALLOC_FAILED:
      return "out of memory";
    case CUSPARSE_STATUS_INVALID_VALUE:
      return "invalid value";
    case CUSPARSE_STATUS_EXECUTION_FAILED:
      return "kernel launch failure";
    case CUSPARSE_STATUS_ZERO_PIVOT:
      return "zero pivot";
    case CUSPARSE_STATUS_NOT_SUPPORTED:
      return "operation not supported";
    default:
      return cusparseGetErrorName(status);
  }
}

// Defines the setter and getter of one setting of a cuSPARSE handle.
#define WARPMARK_SPARSE_SETTING(Set, Get, Type, member)               \
  inline cusparseStatus_t Set(cusparseHandle_t handle, Type value) {  \
    WARPMARK_SPARSE_HANDLE(handle);                                   \
    handle->member = value;                                           \
    return CUSPARSE_STATUS_SUCCESS;                                   \
  }                                                                   \
  inline cusparseStatus_t Get(cusparseHandle_t handle, Type* value) { \
    WARPMARK_SPARSE_HANDLE(handle);                                   \
    WARPMARK_SPARSE_VALUES(value != nullptr);                         \
    *value = handle->member;                                          \
    return CUSPARSE_STATUS_SUCCESS;                                   \
  }
WARPMARK_SPARSE_SETTING(cusparseSetStream, cusparseGetStream, cudaStream_t, stream)
WARPMARK_SPARSE_SETTING(cusparseSetPointerMode, cusparseGetPointerMode, cusparsePointerMode_t, pointer_mode)
#undef WARPMARK_SPARSE_SETTING

inline cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr) {
  WARPMARK_SPARSE_VALUES(descr != nullptr);
  *descr = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}
#define WARPMARK_SPARSE_MEMBER(Name, Type, member)                                  \
  inline cusparseStatus_t cusparseSet##Name(cusparseMatDescr_t descr, Type value) { \
    WARPMARK_SPARSE_VALUES(descr != nullptr);                                       \
    descr->member = value;                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                                 \
  }                                                                                 \
  inline Type cusparseGet##Name(const cusparseMatDescr_t descr) {                   \
    return descr->member;                                                           \
  }
WARPMARK_SPARSE_MEMBER(MatType, cusparseMatrixType_t, type)
WARPMARK_SPARSE_MEMBER(MatFillMode, cusparseFillMode_t, fill)
WARPMARK_SPARSE_MEMBER(MatDiagType, cusparseDiagType_t, diagonal)
WARPMARK_SPARSE_MEMBER(MatIndexBase, cusparseIndexBase_t, base)
#undef WARPMARK_SPARSE_MEMBER

namespace warpmark_sparse {

template <typename Descriptor>
cusparseStatus_t create(Descriptor** descr, const std::remove_const_t<Descriptor>& made, bool right) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && right);
  *descr = new std::remove_const_t<Descriptor>(made);
  return CUSPARSE_STATUS_SUCCESS;
}
// Stores a cuSPARSE function's result through an output pointer, unless the program passed null because it
// does not want the result.
template <typename To, typename From>
void give(To* to, const From& from) {
  if (to != nullptr) *to = from;
}
template <typename Descriptor, typename Void>
cusparseStatus_t give_values(Descriptor descr, Void** values) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && values != nullptr);
  *values = descr->values;
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename Descriptor>
cusparseStatus_t set_values(Descriptor* descr, void* values) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && values != nullptr);
  descr->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
inline void* writable(const void* data) {
  return const_cast<void*>(data);
}

inline cusparseSpMatDescr matrix(cusparseFormat_t format, int64_t rows, int64_t columns, int64_t count,
                                 const void* offsets, const void* indices, const void* values,
                                 cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                 cusparseIndexBase_t base, cudaDataType value_type) {
  return {format,
          rows,
          columns,
          count,
          writable(offsets),
          writable(indices),
          writable(values),
          offset_type,
          index_type,
          base,
          value_type,
          CUSPARSE_FILL_MODE_LOWER,
          CUSPARSE_DIAG_TYPE_NON_UNIT,
          1,
          0,
          0};
}
inline bool has_size(int64_t rows, int64_t columns, int64_t count) {
  return rows >= 0 && columns >= 0 && count >= 0;
}
template <typename Descriptor, typename Void>
cusparseStatus_t give_matrix(Descriptor descr, int64_t* rows, int64_t* columns, int64_t* count,
                             Void** offsets, Void** indices, Void** values, cusparseIndexType_t* offset_type,
                             cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                             cudaDataType* value_type) {
  WARPMARK_SPARSE_VALUES(descr != nullptr);
  give(rows, descr->rows);
  give(columns, descr->columns);
  give(count, descr->count);
  give(offsets, descr->offsets);
  give(indices, descr->indices);
  give(values, descr->values);
  give(offset_type, descr->offset_type);
  give(index_type, descr->index_type);
  give(base, descr->base);
  give(value_type, descr->value_type);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t set_pointers(cusparseSpMatDescr_t descr, void* offsets, void* indices, void* values) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && offsets != nullptr && indices != nullptr && values != nullptr);
  descr->offsets = offsets;
  descr->indices = indices;
  descr->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

// cuSPARSE functions that create and query descriptors of vectors and matrices. Each exists for descriptors
// of writable memory (Void = void) and of constant memory (Void = const void), whose descriptor type is
// const, too.
template <typename Descriptor, typename Void>
cusparseStatus_t create_sparse_vector(Descriptor* descr, int64_t size, int64_t count, Void* indices,
                                      Void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                      cudaDataType value_type) {
  return create(descr, {size, count, writable(indices), writable(values), index_type, base, value_type},
                size >= count && count >= 0);
}
template <typename Descriptor, typename Void>
cusparseStatus_t give_sparse_vector(Descriptor descr, int64_t* size, int64_t* count, Void** indices,
                                    Void** values, cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                    cudaDataType* value_type) {
  WARPMARK_SPARSE_VALUES(descr != nullptr);
  give(size, descr->size);
  give(count, descr->count);
  give(indices, descr->indices);
  give(values, descr->values);
  give(index_type, descr->index_type);
  give(base, descr->base);
  give(value_type, descr->value_type);
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename Descriptor, typename Void>
cusparseStatus_t create_dense_vector(Descriptor* descr, int64_t size, Void* values, cudaDataType value_type) {
  return create(descr, {size, writable(values), value_type}, size >= 0);
}
template <typename Descriptor, typename Void>
cusparseStatus_t give_dense_vector(Descriptor descr, int64_t* size, Void** values, cudaDataType* value_type) {
  WARPMARK_SPARSE_VALUES(descr != nullptr);
  give(size, descr->size);
  give(values, descr->values);
  give(value_type, descr->value_type);
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename Descriptor, typename Void>
cusparseStatus_t create_dense_matrix(Descriptor* descr, int64_t rows, int64_t columns, int64_t leading,
                                     Void* values, cudaDataType value_type, cusparseOrder_t order) {
  const bool right = rows >= 0 && columns >= 0 && leading >= (order == CUSPARSE_ORDER_ROW ? columns : rows);
  return create(descr, {rows, columns, leading, writable(values), value_type, order, 1, 0}, right);
}
template <typename Descriptor, typename Void>
cusparseStatus_t give_dense_matrix(Descriptor descr, int64_t* rows, int64_t* columns, int64_t* leading,
                                   Void** values, cudaDataType* value_type, cusparseOrder_t* order) {
  WARPMARK_SPARSE_VALUES(descr != nullptr);
  give(rows, descr->rows);
  give(columns, descr->columns);
  give(leading, descr->leading);
  give(values, descr->values);
  give(value_type, descr->value_type);
  give(order, descr->order);
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename Descriptor, typename Void>
cusparseStatus_t create_coordinates(Descriptor* descr, int64_t rows, int64_t columns, int64_t count,
                                    Void* row_indices, Void* column_indices, Void* values,
                                    cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                    cudaDataType value_type) {
  return create(descr,
                matrix(CUSPARSE_FORMAT_COO, rows, columns, count, row_indices, column_indices, values,
                       index_type, index_type, base, value_type),
                has_size(rows, columns, count));
}
template <typename Descriptor, typename Void>
cusparseStatus_t give_coordinates(Descriptor descr, int64_t* rows, int64_t* columns, int64_t* count,
                                  Void** row_indices, Void** column_indices, Void** values,
                                  cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                  cudaDataType* value_type) {
  return give_matrix(descr, rows, columns, count, row_indices, column_indices, values, index_type, index_type,
                     base, value_type);
}
template <typename Descriptor, typename Void, cusparseFormat_t kFormat>
cusparseStatus_t create_compressed(Descriptor* descr, int64_t rows, int64_t columns, int64_t count,
                                   Void* offsets, Void* indices, Void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type) {
  return create(descr,
                matrix(kFormat, rows, columns, count, offsets, indices, values, offset_type, index_type, base,
                       value_type),
                has_size(rows, columns, count));
}

}  // namespace warpmark_sparse

inline constexpr auto& cusparseCreateSpVec =
    warpmark_sparse::create_sparse_vector<cusparseSpVecDescr_t, void>;
inline constexpr auto& cusparseSpVecGet = warpmark_sparse::give_sparse_vector<cusparseSpVecDescr_t, void>;
inline constexpr auto& cusparseCreateDnVec = warpmark_sparse::create_dense_vector<cusparseDnVecDescr_t, void>;
inline constexpr auto& cusparseDnVecGet = warpmark_sparse::give_dense_vector<cusparseDnVecDescr_t, void>;
inline constexpr auto& cusparseCreateDnMat = warpmark_sparse::create_dense_matrix<cusparseDnMatDescr_t, void>;
inline constexpr auto& cusparseDnMatGet = warpmark_sparse::give_dense_matrix<cusparseDnMatDescr_t, void>;
inline constexpr auto& cusparseCreateCoo = warpmark_sparse::create_coordinates<cusparseSpMatDescr_t, void>;
inline constexpr auto& cusparseCooGet = warpmark_sparse::give_coordinates<cusparseSpMatDescr_t, void>;
inline constexpr auto& cusparseCreateCsr =
    warpmark_sparse::create_compressed<cusparseSpMatDescr_t, void, CUSPARSE_FORMAT_CSR>;
inline constexpr auto& cusparseCsrGet = warpmark_sparse::give_matrix<cusparseSpMatDescr_t, void>;
inline constexpr auto& cusparseCreateCsc =
    warpmark_sparse::create_compressed<cusparseSpMatDescr_t, void, CUSPARSE_FORMAT_CSC>;
inline constexpr auto& cusparseCscGet = warpmark_sparse::give_matrix<cusparseSpMatDescr_t, void>;
inline constexpr auto& cusparseSpVecGetValues = warpmark_sparse::give_values<cusparseSpVecDescr_t, void>;
inline constexpr auto& cusparseDnVecGetValues = warpmark_sparse::give_values<cusparseDnVecDescr_t, void>;
inline constexpr auto& cusparseSpMatGetValues = warpmark_sparse::give_values<cusparseSpMatDescr_t, void>;
inline constexpr auto& cusparseDnMatGetValues = warpmark_sparse::give_values<cusparseDnMatDescr_t, void>;
inline constexpr auto& cusparseCreateConstSpVec =
    warpmark_sparse::create_sparse_vector<cusparseConstSpVecDescr_t, const void>;
inline constexpr auto& cusparseConstSpVecGet =
    warpmark_sparse::give_sparse_vector<cusparseConstSpVecDescr_t, const void>;
inline constexpr auto& cusparseCreateConstDnVec =
    warpmark_sparse::create_dense_vector<cusparseConstDnVecDescr_t, const void>;
inline constexpr auto& cusparseConstDnVecGet =
    warpmark_sparse::give_dense_vector<cusparseConstDnVecDescr_t, const void>;
inline constexpr auto& cusparseCreateConstDnMat =
    warpmark_sparse::create_dense_matrix<cusparseConstDnMatDescr_t, const void>;
inline constexpr auto& cusparseConstDnMatGet =
    warpmark_sparse::give_dense_matrix<cusparseConstDnMatDescr_t, const void>;
inline constexpr auto& cusparseCreateConstCoo =
    warpmark_sparse::create_coordinates<cusparseConstSpMatDescr_t, const void>;
inline constexpr auto& cusparseConstCooGet =
    warpmark_sparse::give_coordinates<cusparseConstSpMatDescr_t, const void>;
inline constexpr auto& cusparseCreateConstCsr =
    warpmark_sparse::create_compressed<cusparseConstSpMatDescr_t, const void, CUSPARSE_FORMAT_CSR>;
inline constexpr auto& cusparseConstCsrGet =
    warpmark_sparse::give_matrix<cusparseConstSpMatDescr_t, const void>;
inline constexpr auto& cusparseCreateConstCsc =
    warpmark_sparse::create_compressed<cusparseConstSpMatDescr_t, const void, CUSPARSE_FORMAT_CSC>;
inline constexpr auto& cusparseConstCscGet =
    warpmark_sparse::give_matrix<cusparseConstSpMatDescr_t, const void>;
inline constexpr auto& cusparseConstSpVecGetValues =
    warpmark_sparse::give_values<cusparseConstSpVecDescr_t, const void>;
inline constexpr auto& cusparseConstDnVecGetValues =
    warpmark_sparse::give_values<cusparseConstDnVecDescr_t, const void>;
inline constexpr auto& cusparseConstSpMatGetValues =
    warpmark_sparse::give_values<cusparseConstSpMatDescr_t, const void>;
inline constexpr auto& cusparseConstDnMatGetValues =
    warpmark_sparse::give_values<cusparseConstDnMatDescr_t, const void>;

#define WARPMARK_SPARSE_END(Name)                                                                  \
  inline cusparseStatus_t cusparseDestroy##Name(cusparseConst##Name##Descr_t descr) {              \
    delete descr;                                                                                  \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  inline cusparseStatus_t cusparse##Name##SetValues(cusparse##Name##Descr_t descr, void* values) { \
    return warpmark_sparse::set_values(descr, values);                                             \
  }
WARPMARK_SPARSE_END(SpVec)
WARPMARK_SPARSE_END(DnVec)
WARPMARK_SPARSE_END(SpMat)
WARPMARK_SPARSE_END(DnMat)
#undef WARPMARK_SPARSE_END

inline cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t descr, void* offsets, void* columns,
                                               void* values) {
  return warpmark_sparse::set_pointers(descr, offsets, columns, values);
}
inline cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t descr, void* offsets, void* rows,
                                               void* values) {
  return warpmark_sparse::set_pointers(descr, offsets, rows, values);
}
inline cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t descr, void* rows, void* columns,
                                               void* values) {
  return warpmark_sparse::set_pointers(descr, rows, columns, values);
}
inline cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr,
                                                  cusparseIndexBase_t* base) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && base != nullptr);
  *base = descr->base;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t* format) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && format != nullptr);
  *format = descr->format;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr,
                                                  cusparseIndexBase_t* base) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && base != nullptr);
  *base = descr->base;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t* rows, int64_t* cols,
                                             int64_t* nnz) {
  WARPMARK_SPARSE_VALUES(descr != nullptr && rows != nullptr && cols != nullptr && nnz != nullptr);
  *rows = descr->rows;
  *cols = descr->columns;
  *nnz = descr->count;
  return CUSPARSE_STATUS_SUCCESS;
}
