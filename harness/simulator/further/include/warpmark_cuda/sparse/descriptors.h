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

// Defines setter and getter of a handle's member.
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
// Stores an output; null outputs are skipped.
template <typename To, typename From>
void give(To* to, const From& from) {
  if (to != nullptr) *to = from;
}
template <typename Descriptor, typename Pointer>
cusparseStatus_t give_values(Descriptor* descr, Pointer* values) {
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
template <typename Descriptor, typename Pointer>
cusparseStatus_t give_matrix(Descriptor* descr, int64_t* rows, int64_t* columns, int64_t* count,
                             Pointer* offsets, Pointer* indices, Pointer* values,
                             cusparseIndexType_t* offset_type, cusparseIndexType_t* index_type,
                             cusparseIndexBase_t* base, cudaDataType* value_type) {
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

}  // namespace warpmark_sparse

// Defines each kind of descriptor for writable and for constant memory.
#define WARPMARK_SPARSE_DESCRIPTORS(Const, Void)                                                             \
  inline cusparseStatus_t cusparseCreate##Const##SpVec(                                                      \
      cusparse##Const##SpVecDescr_t* descr, int64_t size, int64_t nnz, Void* indices, Void* values,          \
      cusparseIndexType_t idxType, cusparseIndexBase_t idxBase, cudaDataType valueType) {                    \
    using warpmark_sparse::writable;                                                                         \
    return warpmark_sparse::create(                                                                          \
        descr, {size, nnz, writable(indices), writable(values), idxType, idxBase, valueType},                \
        size >= nnz && nnz >= 0);                                                                            \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##SpVecGet(                                                         \
      cusparse##Const##SpVecDescr_t descr, int64_t* size, int64_t* nnz, Void** indices, Void** values,       \
      cusparseIndexType_t* idxType, cusparseIndexBase_t* idxBase, cudaDataType* valueType) {                 \
    WARPMARK_SPARSE_VALUES(descr != nullptr);                                                                \
    warpmark_sparse::give(size, descr->size);                                                                \
    warpmark_sparse::give(nnz, descr->count);                                                                \
    warpmark_sparse::give(indices, descr->indices);                                                          \
    warpmark_sparse::give(values, descr->values);                                                            \
    warpmark_sparse::give(idxType, descr->index_type);                                                       \
    warpmark_sparse::give(idxBase, descr->base);                                                             \
    warpmark_sparse::give(valueType, descr->value_type);                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  inline cusparseStatus_t cusparseCreate##Const##DnVec(cusparse##Const##DnVecDescr_t* descr, int64_t size,   \
                                                       Void* values, cudaDataType valueType) {               \
    return warpmark_sparse::create(descr, {size, warpmark_sparse::writable(values), valueType}, size >= 0);  \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##DnVecGet(cusparse##Const##DnVecDescr_t descr, int64_t* size,      \
                                                    Void** values, cudaDataType* valueType) {                \
    WARPMARK_SPARSE_VALUES(descr != nullptr);                                                                \
    warpmark_sparse::give(size, descr->size);                                                                \
    warpmark_sparse::give(values, descr->values);                                                            \
    warpmark_sparse::give(valueType, descr->value_type);                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  inline cusparseStatus_t cusparseCreate##Const##DnMat(cusparse##Const##DnMatDescr_t* descr, int64_t rows,   \
                                                       int64_t cols, int64_t ld, Void* values,               \
                                                       cudaDataType valueType, cusparseOrder_t order) {      \
    const bool right = rows >= 0 && cols >= 0 && ld >= (order == CUSPARSE_ORDER_ROW ? cols : rows);          \
    return warpmark_sparse::create(                                                                          \
        descr, {rows, cols, ld, warpmark_sparse::writable(values), valueType, order, 1, 0}, right);          \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##DnMatGet(cusparse##Const##DnMatDescr_t descr, int64_t* rows,      \
                                                    int64_t* cols, int64_t* ld, Void** values,               \
                                                    cudaDataType* type, cusparseOrder_t* order) {            \
    WARPMARK_SPARSE_VALUES(descr != nullptr);                                                                \
    warpmark_sparse::give(rows, descr->rows);                                                                \
    warpmark_sparse::give(cols, descr->columns);                                                             \
    warpmark_sparse::give(ld, descr->leading);                                                               \
    warpmark_sparse::give(values, descr->values);                                                            \
    warpmark_sparse::give(type, descr->value_type);                                                          \
    warpmark_sparse::give(order, descr->order);                                                              \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  inline cusparseStatus_t cusparseCreate##Const##Coo(cusparse##Const##SpMatDescr_t* descr, int64_t rows,     \
                                                     int64_t cols, int64_t nnz, Void* rowInd, Void* colInd,  \
                                                     Void* values, cusparseIndexType_t idxType,              \
                                                     cusparseIndexBase_t idxBase, cudaDataType valueType) {  \
    return warpmark_sparse::create(                                                                          \
        descr,                                                                                               \
        warpmark_sparse::matrix(CUSPARSE_FORMAT_COO, rows, cols, nnz, rowInd, colInd, values, idxType,       \
                                idxType, idxBase, valueType),                                                \
        warpmark_sparse::has_size(rows, cols, nnz));                                                         \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##CooGet(cusparse##Const##SpMatDescr_t descr, int64_t* rows,        \
                                                  int64_t* cols, int64_t* nnz, Void** rowInd, Void** colInd, \
                                                  Void** values, cusparseIndexType_t* idxType,               \
                                                  cusparseIndexBase_t* idxBase, cudaDataType* valueType) {   \
    return warpmark_sparse::give_matrix(descr, rows, cols, nnz, rowInd, colInd, values, idxType, idxType,    \
                                        idxBase, valueType);                                                 \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##DnVecGetValues(cusparse##Const##DnVecDescr_t descr,               \
                                                          Void** values) {                                   \
    return warpmark_sparse::give_values(descr, values);                                                      \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##SpVecGetValues(cusparse##Const##SpVecDescr_t descr,               \
                                                          Void** values) {                                   \
    return warpmark_sparse::give_values(descr, values);                                                      \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##DnMatGetValues(cusparse##Const##DnMatDescr_t descr,               \
                                                          Void** values) {                                   \
    return warpmark_sparse::give_values(descr, values);                                                      \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##Const##SpMatGetValues(cusparse##Const##SpMatDescr_t descr,               \
                                                          Void** values) {                                   \
    return warpmark_sparse::give_values(descr, values);                                                      \
  }
// For CSR and CSC.
#define WARPMARK_SPARSE_COMPRESSED(Const, Void, Name, FORMAT)                                              \
  inline cusparseStatus_t cusparseCreate##Const##Name(                                                     \
      cusparse##Const##SpMatDescr_t* descr, int64_t rows, int64_t cols, int64_t nnz, Void* offsets,        \
      Void* indices, Void* values, cusparseIndexType_t offsetsType, cusparseIndexType_t indexType,         \
      cusparseIndexBase_t idxBase, cudaDataType valueType) {                                               \
    return warpmark_sparse::create(                                                                        \
        descr,                                                                                             \
        warpmark_sparse::matrix(FORMAT, rows, cols, nnz, offsets, indices, values, offsetsType, indexType, \
                                idxBase, valueType),                                                       \
        warpmark_sparse::has_size(rows, cols, nnz));                                                       \
  }                                                                                                        \
  inline cusparseStatus_t cusparse##Const##Name##Get(                                                      \
      cusparse##Const##SpMatDescr_t descr, int64_t* rows, int64_t* cols, int64_t* nnz, Void** offsets,     \
      Void** indices, Void** values, cusparseIndexType_t* offsetsType, cusparseIndexType_t* indexType,     \
      cusparseIndexBase_t* idxBase, cudaDataType* valueType) {                                             \
    return warpmark_sparse::give_matrix(descr, rows, cols, nnz, offsets, indices, values, offsetsType,     \
                                        indexType, idxBase, valueType);                                    \
  }
WARPMARK_SPARSE_DESCRIPTORS(, void)
WARPMARK_SPARSE_DESCRIPTORS(Const, const void)
WARPMARK_SPARSE_COMPRESSED(, void, Csr, CUSPARSE_FORMAT_CSR)
WARPMARK_SPARSE_COMPRESSED(Const, const void, Csr, CUSPARSE_FORMAT_CSR)
WARPMARK_SPARSE_COMPRESSED(, void, Csc, CUSPARSE_FORMAT_CSC)
WARPMARK_SPARSE_COMPRESSED(Const, const void, Csc, CUSPARSE_FORMAT_CSC)
#undef WARPMARK_SPARSE_DESCRIPTORS
#undef WARPMARK_SPARSE_COMPRESSED

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
