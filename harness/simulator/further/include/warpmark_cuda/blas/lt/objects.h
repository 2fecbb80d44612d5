// cuBLASLt descriptors. The program holds each as an opaque array of words; the complete state lies in these
// words, which are as many as in NVIDIA's header.
#pragma once

#include <cstddef>
#include <cstring>

#include "warpmark_cuda/blas/lt/algorithm_enumerators.h"
#include "warpmark_cuda/blas/lt/enumerators.h"

typedef struct {
  uint64_t data[8];
} cublasLtMatrixLayoutOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
  uint64_t data[32];
} cublasLtMatmulDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatrixTransformDescOpaque_t;
typedef cublasLtMatrixTransformDescOpaque_t* cublasLtMatrixTransformDesc_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

struct cublasLtContext {};
typedef struct cublasLtContext* cublasLtHandle_t;

namespace warpmark_blas {

struct LtLayout {
  int type = 0;
  int order = CUBLASLT_ORDER_COL;
  uint64_t rows = 0;
  uint64_t columns = 0;
  int64_t leading = 0;
  int batches = 1;
  int batch_mode = CUBLASLT_BATCH_MODE_STRIDED;
  int64_t stride = 0;
  int64_t plane = 0;
};

struct LtProduct {
  int compute = 0;
  int scale = 0;
  int pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int operation_a = CUBLAS_OP_N;
  int operation_b = CUBLAS_OP_N;
  int operation_c = CUBLAS_OP_N;
  int fill = CUBLAS_FILL_MODE_FULL;
  unsigned int epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  int64_t bias_stride = 0;
  void* extra = nullptr;  // auxiliary matrix of a cuBLASLt epilogue: ReLU's bit mask or GELU's input
  int64_t extra_leading = 0;
  int64_t extra_stride = 0;
  int64_t alpha_stride = 0;
  const void* scale_a = nullptr;
  const void* scale_b = nullptr;
  const void* scale_c = nullptr;
  const void* scale_d = nullptr;
  void* largest = nullptr;
  const void* extra_scale = nullptr;
  void* extra_largest = nullptr;
  const void* scales_of_d = nullptr;
  void* emulation = nullptr;
  int extra_type = -1;
  int bias_type = -1;
  int scale_mode_a = 0;
  int scale_mode_b = 0;
  int scale_mode_c = 0;
  int scale_mode_d = 0;
  int extra_scale_mode = 0;
  int scales_of_d_mode = 0;
  int processors = 0;
  signed char fast = 0;
};

struct LtTransformation {
  int scale = 0;
  int pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int operation_a = CUBLAS_OP_N;
  int operation_b = CUBLAS_OP_N;
};

struct LtPreference {
  unsigned int search = CUBLASLT_SEARCH_BEST_FIT;
  unsigned int reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  uint64_t workspace = 0;
  unsigned int alignment_a = 256;
  unsigned int alignment_b = 256;
  unsigned int alignment_c = 256;
  unsigned int alignment_d = 256;
  uint64_t implementations = ~uint64_t{0};
  float waves = 0;
};

// The simulator's single cuBLASLt algorithm. Stores the settings that the program makes, so that it can query
// them, but ignores them.
struct LtAlgorithm {
  static constexpr uint64_t kOurs = 0x57415250;
  uint64_t mark = kOurs;
  int id = 0;
  unsigned int tile = 0;
  int parts_of_k = 1;
  unsigned int reduction = CUBLASLT_REDUCTION_SCHEME_NONE;
  unsigned int swizzle = 0;
  unsigned int custom = 0;
  unsigned int stages = 0;
  unsigned short inner_shape = 0;
  unsigned short cluster = 0;
};

template <typename State, typename Words>
State lt_state(const Words* words) {
  static_assert(sizeof(State) <= sizeof(Words));
  State state;
  std::memcpy(&state, words, sizeof(State));
  return state;
}
template <typename State, typename Words>
void lt_keep(Words* words, const State& state) {
  static_assert(sizeof(State) <= sizeof(Words));
  std::memset(words, 0, sizeof(Words));
  std::memcpy(words, &state, sizeof(State));
}

struct LtAttribute {
  int number;
  size_t place;
  size_t bytes;
};
#define WARPMARK_LT(State, number, member) \
  { number, offsetof(State, member), sizeof(State::member) }
constexpr LtAttribute kLtLayout[] = {
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_TYPE, type),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_ORDER, order),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_COLS, columns),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_LD, leading),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batches),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, plane),
    WARPMARK_LT(LtLayout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, batch_mode)};
constexpr LtAttribute kLtProduct[] = {
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, compute),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_SCALE_TYPE, scale),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_POINTER_MODE, pointer_mode),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_TRANSA, operation_a),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_TRANSB, operation_b),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_TRANSC, operation_c),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_FILL_MODE, fill),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias_stride),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, extra),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, extra_leading),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, extra_stride),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, processors),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale_a),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale_b),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, scale_c),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scale_d),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, extra_type),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, extra_scale),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, extra_largest),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_FAST_ACCUM, fast),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, bias_type),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, scale_mode_a),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, scale_mode_b),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_C_SCALE_MODE, scale_mode_c),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_D_SCALE_MODE, scale_mode_d),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, extra_scale_mode),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, scales_of_d),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, scales_of_d_mode),
    WARPMARK_LT(LtProduct, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, emulation)};
constexpr LtAttribute kLtTransformation[] = {
    WARPMARK_LT(LtTransformation, CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, scale),
    WARPMARK_LT(LtTransformation, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, pointer_mode),
    WARPMARK_LT(LtTransformation, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, operation_a),
    WARPMARK_LT(LtTransformation, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, operation_b)};
constexpr LtAttribute kLtPreference[] = {
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_SEARCH_MODE, search),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_a),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_b),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_c),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_d),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, waves),
    WARPMARK_LT(LtPreference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementations)};
constexpr LtAttribute kLtAlgorithm[] = {
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_ID, id),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_TILE_ID, tile),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, parts_of_k),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, reduction),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, swizzle),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, custom),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID, stages),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, inner_shape),
    WARPMARK_LT(LtAlgorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, cluster)};
#undef WARPMARK_LT

template <size_t count>
const LtAttribute* lt_find(const LtAttribute (&table)[count], int number) {
  for (const LtAttribute& each : table) {
    if (each.number == number) return &each;
  }
  return nullptr;
}
// Sets an attribute of a cuBLASLt descriptor without validating the value: as in NVIDIA's library, only the
// functions that use the descriptor validate it.
template <size_t count, typename Words>
cublasStatus_t lt_set(const LtAttribute (&table)[count], Words* words, int number, const void* value,
                      size_t bytes) {
  const LtAttribute* attribute = lt_find(table, number);
  if (words == nullptr || value == nullptr || attribute == nullptr || attribute->bytes != bytes)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(reinterpret_cast<char*>(words) + attribute->place, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
// Returns an attribute's value, as cuBLASLt's query functions do; with bytes == 0, stores only the value's
// size in *written.
inline cublasStatus_t lt_answer(const void* from, size_t there, void* value, size_t bytes, size_t* written) {
  if (bytes == 0 ? written == nullptr : value == nullptr || there != bytes)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0) std::memcpy(value, from, bytes);
  if (written != nullptr) *written = there;
  return CUBLAS_STATUS_SUCCESS;
}
template <size_t count, typename Words>
cublasStatus_t lt_get(const LtAttribute (&table)[count], const Words* words, int number, void* value,
                      size_t bytes, size_t* written) {
  const LtAttribute* attribute = lt_find(table, number);
  if (words == nullptr || attribute == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return lt_answer(reinterpret_cast<const char*>(words) + attribute->place, attribute->bytes, value, bytes,
                   written);
}
template <typename Words, typename State>
cublasStatus_t lt_init(Words* words, size_t bytes, const State& state) {
  if (words == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes < sizeof(Words)) return CUBLAS_STATUS_ALLOC_FAILED;
  lt_keep(words, state);
  return CUBLAS_STATUS_SUCCESS;
}
template <typename Words, typename State>
cublasStatus_t lt_create(Words** words, const State& state) {
  if (words == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *words = new Words;
  lt_keep(*words, state);
  return CUBLAS_STATUS_SUCCESS;
}
template <typename Words>
cublasStatus_t lt_destroy(Words* words) {
  delete words;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace warpmark_blas
