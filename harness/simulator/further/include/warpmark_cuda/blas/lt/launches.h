// cuBLASLt: translates descriptors into kernel launches.
#pragma once

#include "warpmark_cuda/blas/lt/matmul.h"

namespace warpmark_blas {

struct LtPointers {
  const void* alpha;
  const void* a;
  const void* b;
  const void* beta;
  const void* c;
  void* d;
};

template <typename W>
LtEpilogue<W> lt_epilogue(const LtOperands& of, const LtPointers& at) {
  const LtProduct& product = of.product;
  const int mode = product.pointer_mode;
  const bool by_row = mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  const bool beta_on_device =
      mode == CUBLASLT_POINTER_MODE_DEVICE || mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  const void* beta = mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO ? nullptr : at.beta;
  const auto stride = static_cast<Index>(product.alpha_stride);
  const auto alpha_scalar =
      lt_scalar<W>(product.scale, at.alpha, mode != CUBLASLT_POINTER_MODE_HOST, by_row, stride);
  const auto beta_scalar = lt_scalar<W>(product.scale, beta, beta_on_device, by_row, 0);
  LtLayout bias;
  bias.type = lt_bias_type(product, of.a, of.c, of.d);
  bias.stride = product.bias_stride;
  LtLayout extra;
  extra.type = product.extra_type == -1 ? of.d.type : product.extra_type;
  extra.leading = product.extra_leading;
  extra.stride = product.extra_stride;
  return {product.epilogue,
          alpha_scalar,
          beta_scalar,
          beta_on_device ? beta != nullptr : !is_zero(beta_scalar.value),
          lt_matrix(at.c, of.c),
          lt_matrix(at.d, of.d),
          lt_matrix(product.bias, bias),
          lt_matrix(product.extra, extra),
          static_cast<const float*>(product.scale_a),
          static_cast<const float*>(product.scale_b),
          product.scale_mode_a == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
          product.scale_mode_b == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
          static_cast<const float*>(product.scale_c),
          static_cast<const float*>(product.scale_d),
          static_cast<int*>(product.largest)};
}

template <typename T, bool tiled>
LtFactor<T, tiled> lt_factor(const void* data, const LtLayout& layout, int operation) {
  return {lt_matrix(data, layout), operation != CUBLAS_OP_N, operation == CUBLAS_OP_C};
}

template <typename S, typename W, typename T, bool tiled>
cublasStatus_t lt_multiply(cublasHandle_t handle, const LtOperands& of, const LtPointers& at) {
  const LtShape shape = of.shape();
  const LtProduct& product = of.product;
  const LtEpilogue<W> epilogue = lt_epilogue<W>(of, at);
  WARPMARK_BLAS_VALUES(at.c != nullptr || !epilogue.reads_c);
  const auto a = lt_factor<T, tiled>(at.a, of.a, product.operation_a);
  const auto b = lt_factor<T, tiled>(at.b, of.b, product.operation_b);
  using Work = LtMultiply<S, W, T, tiled>;
  const Index batches = of.d.batches;
  if (product.largest != nullptr) {
    const cudaError_t error = ::cudaMemsetAsync(product.largest, 0, sizeof(float), handle->stream);
    if (error != cudaSuccess) return status_of(error);
  }
  const cublasStatus_t status = launch(handle, Work::tiles_of(shape.m, shape.n) * batches,
                                       Work{shape.m, shape.n, shape.k, a, b, epilogue});
  if constexpr (std::is_same_v<W, float> && !tiled && !std::is_same_v<T, signed char>) {
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    if ((product.epilogue & 16u) != 0)
      return launch(handle, shape.m * batches, LtRowSums{shape.m, shape.n, epilogue.d, epilogue.bias});
    if (product.epilogue == CUBLASLT_EPILOGUE_BGRADA)
      return launch(handle, shape.m * batches, LtFactorSums<T, false>{shape.m, shape.k, a, epilogue.bias});
    if (product.epilogue == CUBLASLT_EPILOGUE_BGRADB)
      return launch(handle, shape.n * batches, LtFactorSums<T, true>{shape.n, shape.k, b, epilogue.bias});
  }
  return status;
}

WARPMARK_IF_CALLED
cublasStatus_t lt_matmul(const LtOperands& of, const LtPointers& at, cudaStream_t stream) {
  const cublasStatus_t right = of.check();
  if (right != CUBLAS_STATUS_SUCCESS) return right;
  const LtProduct& product = of.product;
  const bool needs_beta = product.pointer_mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
  WARPMARK_BLAS_VALUES(at.alpha != nullptr && (!needs_beta || at.beta != nullptr) && at.a != nullptr &&
                       at.b != nullptr && at.d != nullptr);
  WARPMARK_BLAS_VALUES(!lt_has_bias(product.epilogue) || product.bias != nullptr);
  WARPMARK_BLAS_VALUES((product.epilogue & 128u) == 0 || product.extra != nullptr);
  cublasContext context;
  context.stream = stream;
  return with_lt_types(product, of.a, of.b, of.c, of.d, [&](auto sum, auto scale, auto factor) {
    using S = decltype(sum);
    using W = decltype(scale);
    using T = decltype(factor);
    if constexpr (std::is_same_v<S, int>) {
      if (lt_is_tiled(of.a)) return lt_multiply<S, W, T, true>(&context, of, at);
    }
    return lt_multiply<S, W, T, false>(&context, of, at);
  });
}

// Kernel of cublasLtMatrixTransform: C = alpha op(A) + beta op(B), converting between any data types and
// orders.
template <typename W>
struct LtTransform {
  Index rows;
  Index columns;
  LtScalar<W> alpha;
  LtScalar<W> beta;
  bool has_b;
  LtMatrix a;
  LtMatrix b;
  LtMatrix c;
  int operation_a;
  int operation_b;
  static __device__ __forceinline__ W of(const LtMatrix& matrix, int operation, Index batch, Index row,
                                         Index column) {
    if (operation == CUBLAS_OP_N) return matrix.template load<W>(batch, row, column);
    return conjugate(matrix.template load<W>(batch, column, row), operation == CUBLAS_OP_C);
  }
  __device__ void operator()(Index i) const {
    const Index row = i % rows;
    const Index column = i / rows % columns;
    const Index batch = i / rows / columns;
    W value{};
    const W of_a = alpha.get(batch, row);
    if (!is_zero(of_a)) value = multiply(of_a, of(a, operation_a, batch, row, column));
    if (has_b) {
      const W of_b = beta.get(batch, row);
      if (!is_zero(of_b)) value = multiply_add(of_b, of(b, operation_b, batch, row, column), value);
    }
    c.template store<W>(batch, row, column, value);
  }
};

inline bool lt_fits(const LtLayout& from, int operation, const LtLayout& to) {
  const bool straight = operation == CUBLAS_OP_N;
  return (straight ? from.rows : from.columns) == to.rows &&
         (straight ? from.columns : from.rows) == to.columns && from.batches == to.batches;
}
// True if cuBLASLt's matrix transform, when it computes in scale type W, can read elements of the given data
// type.
template <typename W>
bool lt_reads(int type) {
  if (std::is_same_v<W, float>) return lt_bytes(type) > 0 && lt_bytes(type) <= 4 && !lt_is_8f(type);
  if (std::is_same_v<W, int>) return type == CUDA_R_8I || type == CUDA_R_32I;
  return type == (std::is_same_v<W, double>      ? CUDA_R_64F
                  : std::is_same_v<W, cuComplex> ? CUDA_C_32F
                                                 : CUDA_C_64F);
}
WARPMARK_IF_CALLED
cublasStatus_t lt_transform(const LtTransformation& how, const void* alpha, const void* a,
                            const LtLayout& of_a, const void* beta, const void* b, const LtLayout* of_b,
                            void* c, const LtLayout& of_c, cudaStream_t stream) {
  WARPMARK_BLAS_VALUES(is_operation(how.operation_a) && is_operation(how.operation_b));
  WARPMARK_BLAS_VALUES(how.pointer_mode == CUBLASLT_POINTER_MODE_HOST ||
                       how.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE);
  WARPMARK_BLAS_VALUES(alpha != nullptr && a != nullptr && c != nullptr && lt_is_layout(of_a, "A") &&
                       lt_is_layout(of_c, "C") && lt_fits(of_a, how.operation_a, of_c));
  const bool has_b = b != nullptr && of_b != nullptr && beta != nullptr;
  WARPMARK_BLAS_VALUES(!has_b || (lt_is_layout(*of_b, "B") && lt_fits(*of_b, how.operation_b, of_c)));
  if (of_a.plane != 0 || of_c.plane != 0 || (has_b && of_b->plane != 0)) return CUBLAS_STATUS_NOT_SUPPORTED;
  cublasContext context;
  context.stream = stream;
  const auto work = [&](auto number) {
    using W = decltype(number);
    if (!lt_reads<W>(of_a.type) || !lt_reads<W>(of_c.type) || (has_b && !lt_reads<W>(of_b->type)))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool on_device = how.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
    const auto rows = static_cast<Index>(of_c.rows);
    const auto columns = static_cast<Index>(of_c.columns);
    const auto of_old = lt_scalar<W>(how.scale, beta, on_device && has_b, false, 0);
    if (!has_b && !on_device && !is_zero(of_old.value)) return CUBLAS_STATUS_INVALID_VALUE;
    return launch(&context, rows * columns * of_c.batches,
                  LtTransform<W>{rows, columns, lt_scalar<W>(how.scale, alpha, on_device, false, 0), of_old,
                                 has_b, lt_matrix(a, of_a), has_b ? lt_matrix(b, *of_b) : LtMatrix{},
                                 lt_matrix(c, of_c), how.operation_a, how.operation_b});
  };
  if (how.scale == CUDA_R_32I) return work(int());
  if (how.scale == CUDA_R_16F) return work(float());
  return with_number(static_cast<cudaDataType>(how.scale), CUBLAS_STATUS_NOT_SUPPORTED, work);
}

}  // namespace warpmark_blas
