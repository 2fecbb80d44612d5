// cuBLASLt: supported products and their launches.
#pragma once

#include <cstdio>

#include "warpmark_cuda/blas/lt/products.h"

namespace warpmark_blas {

struct LtShape {
  Index m;
  Index n;
  Index k;
};

// Maps the run-time data types of a cuBLASLt product to C++ types: calls work(accumulator, scalar, factor)
// with one value each of the type of the sums, of alpha and beta, and of A's and B's elements. Returns
// CUBLAS_STATUS_NOT_SUPPORTED for other combinations.
template <typename Work>
cublasStatus_t with_lt_types(const LtProduct& product, const LtLayout& a, const LtLayout& b,
                             const LtLayout& c, const LtLayout& d, const Work& work) {
  const int compute = product.compute;
  const bool in_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  const bool in_float = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                        compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
                        compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool in_int = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
  if (lt_is_8f(a.type) && lt_is_8f(b.type)) {
    const bool both_e5m2 = a.type == CUDA_R_8F_E5M2 && b.type == CUDA_R_8F_E5M2;
    const bool narrow = lt_is_8f(d.type) && (c.type == CUDA_R_16F || c.type == CUDA_R_16BF);
    const bool wide =
        c.type == d.type && (c.type == CUDA_R_32F || c.type == CUDA_R_16F || c.type == CUDA_R_16BF);
    if (both_e5m2 || !in_float || product.scale != CUDA_R_32F || !(narrow || wide))
      return CUBLAS_STATUS_NOT_SUPPORTED;
    return work(float(), float(), LtEightBits());
  }
  if (a.type != b.type || c.type != d.type) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto are = [&](int scale, int of_a, int of_d) {
    return product.scale == scale && a.type == of_a && d.type == of_d;
  };
  const auto floats = [&](int of_a) {
    return in_float && (are(CUDA_R_32F, of_a, CUDA_R_32F) || are(CUDA_R_32F, of_a, of_a));
  };
  if (floats(CUDA_R_32F)) return work(float(), float(), float());
  if (floats(CUDA_R_16F)) return work(float(), float(), __half());
  if (floats(CUDA_R_16BF)) return work(float(), float(), __nv_bfloat16());
  if (in_half && are(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F)) return work(__half(), float(), __half());
  if (in_double && are(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F)) return work(double(), double(), double());
  if (in_float && are(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F)) return work(cuComplex(), cuComplex(), cuComplex());
  if (in_double && are(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F))
    return work(cuDoubleComplex(), cuDoubleComplex(), cuDoubleComplex());
  using Byte = signed char;
  if (in_int && are(CUDA_R_32I, CUDA_R_8I, CUDA_R_32I)) return work(int(), int(), Byte());
  if (in_int && are(CUDA_R_32F, CUDA_R_8I, CUDA_R_8I)) return work(int(), float(), Byte());
  if (in_float && are(CUDA_R_32F, CUDA_R_8I, CUDA_R_32F)) return work(float(), float(), Byte());
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

inline bool lt_is_layout(const LtLayout& layout, const char* name) {
  const Index least = lt_least_leading(layout);
  if (layout.order < CUBLASLT_ORDER_COL || layout.order > CUBLASLT_ORDER_COL32_2R_4R4 || layout.batches < 1)
    return false;
  if (layout.leading >= at_least_1(least)) return true;
  std::fprintf(stderr,
               "cuBLASLt: the leading dimension of %s is %lld; of %llu x %llu in its order it is %lld at "
               "least\n",
               name, static_cast<long long>(layout.leading), static_cast<unsigned long long>(layout.rows),
               static_cast<unsigned long long>(layout.columns), static_cast<long long>(at_least_1(least)));
  return false;
}
inline bool lt_has_shapes(const LtShape& shape, const LtProduct& product, const LtLayout& a,
                          const LtLayout& b, const LtLayout& c, const LtLayout& d) {
  const Index inner = static_cast<Index>(product.operation_b == CUBLAS_OP_N ? b.rows : b.columns);
  const bool same = c.rows == d.rows && c.columns == d.columns;
  if (inner == shape.k && same && static_cast<Index>(d.rows) == shape.m &&
      static_cast<Index>(d.columns) == shape.n)
    return true;
  std::fprintf(stderr,
               "cuBLASLt: op(A) is %lld x %lld, op(B) %lld x %lld, C %llu x %llu, D %llu x %llu; a product "
               "has m x k, k x n, and m x n twice\n",
               static_cast<long long>(shape.m), static_cast<long long>(shape.k),
               static_cast<long long>(inner), static_cast<long long>(shape.n),
               static_cast<unsigned long long>(c.rows), static_cast<unsigned long long>(c.columns),
               static_cast<unsigned long long>(d.rows), static_cast<unsigned long long>(d.columns));
  return false;
}

inline bool lt_is_epilogue(unsigned int epilogue) {
  constexpr unsigned int kThere[] = {
      CUBLASLT_EPILOGUE_DEFAULT,  CUBLASLT_EPILOGUE_RELU,        CUBLASLT_EPILOGUE_RELU_AUX,
      CUBLASLT_EPILOGUE_BIAS,     CUBLASLT_EPILOGUE_RELU_BIAS,   CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
      CUBLASLT_EPILOGUE_DRELU,    CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_GELU,
      CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_BIAS,   CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
      CUBLASLT_EPILOGUE_DGELU,    CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA,
      CUBLASLT_EPILOGUE_BGRADB};
  for (const unsigned int each : kThere) {
    if (each == epilogue) return true;
  }
  return false;
}
inline bool lt_has_bias(unsigned int epilogue) {
  return (epilogue & (CUBLASLT_EPILOGUE_BIAS | 16u | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB)) !=
         0;
}
inline int lt_bias_type(const LtProduct& product, const LtLayout& a, const LtLayout& c, const LtLayout& d) {
  if (product.bias_type != -1) return product.bias_type;
  if (lt_is_8f(a.type)) return c.type == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
  return d.type == CUDA_R_8I ? product.scale : d.type;
}

// Validates the epilogue of a cuBLASLt product; its auxiliary matrix must have a leading dimension that is a
// multiple of 128 (ReLU bit mask) or 8 (GELU input).
inline cublasStatus_t lt_check_epilogue(const LtProduct& product, const LtLayout& a, const LtLayout& c,
                                        const LtLayout& d) {
  const unsigned int epilogue = product.epilogue;
  WARPMARK_BLAS_VALUES(lt_is_epilogue(epilogue));
  if (epilogue == CUBLASLT_EPILOGUE_DEFAULT) return CUBLAS_STATUS_SUCCESS;
  if (product.scale != CUDA_R_32F && product.scale != CUDA_R_64F && product.scale != CUDA_R_16F)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool sums = lt_has_bias(epilogue) && (epilogue & CUBLASLT_EPILOGUE_BIAS) == 0;
  if (sums && product.scale == CUDA_R_64F) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (lt_has_bias(epilogue)) {
    const int type = lt_bias_type(product, a, c, d);
    const bool wide = type == CUDA_R_64F;
    if (lt_bytes(type) == 0 || lt_bytes(type) == 1 || wide != (product.scale == CUDA_R_64F))
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if ((epilogue & 128u) == 0) return CUBLAS_STATUS_SUCCESS;
  const bool of_bits = (epilogue & (CUBLASLT_EPILOGUE_RELU | 8u)) != 0;
  if (d.order != CUBLASLT_ORDER_COL || product.extra_scale != nullptr || product.extra_largest != nullptr)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const int64_t step = of_bits ? 128 : 8;
  WARPMARK_BLAS_VALUES(product.extra_leading % step == 0 && product.extra_stride % step == 0 &&
                       product.extra_leading >= static_cast<int64_t>(d.rows));
  const int type = product.extra_type == -1 ? d.type : product.extra_type;
  if (!of_bits && (lt_bytes(type) == 0 || (type == CUDA_R_64F) != (product.scale == CUDA_R_64F)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}
// Validates the scale factors of a cuBLASLt product, which only 8-bit matrices have: one factor per matrix,
// or one per row of op(A) and column of op(B).
inline cublasStatus_t lt_check_scales(const LtProduct& product, const LtLayout& a, const LtLayout& d) {
  const bool of_8f = lt_is_8f(a.type);
  WARPMARK_BLAS_VALUES(of_8f || (product.scale_a == nullptr && product.scale_b == nullptr &&
                                 product.scale_c == nullptr && product.scale_d == nullptr));
  WARPMARK_BLAS_VALUES(lt_is_8f(d.type) || (product.scale_d == nullptr && product.largest == nullptr));
  const auto one_or_many = [](int mode) {
    return mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F ||
           mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  };
  const bool there = one_or_many(product.scale_mode_a) && product.scale_mode_a == product.scale_mode_b &&
                     product.scale_mode_c == 0 && product.scale_mode_d == 0 &&
                     product.extra_scale_mode == 0 && product.scales_of_d == nullptr &&
                     product.emulation == nullptr;
  return there ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}
// False for integer and 8-bit floating-point products whose element order, operations or alignment tensor
// cores do not support. True for all other products.
inline bool lt_is_form(const LtProduct& product, const LtLayout& a, const LtLayout& b, const LtLayout& d) {
  const bool tiled = lt_is_tiled(a) || lt_is_tiled(b) || lt_is_tiled(d);
  const bool in_int = product.compute == CUBLAS_COMPUTE_32I || product.compute == CUBLAS_COMPUTE_32I_PEDANTIC;
  if (tiled)
    return in_int && a.order == CUBLASLT_ORDER_COL32 && d.order == CUBLASLT_ORDER_COL32 &&
           (b.order == CUBLASLT_ORDER_COL4_4R2_8C || b.order == CUBLASLT_ORDER_COL32_2R_4R4) &&
           product.operation_a == CUBLAS_OP_N && product.operation_b == CUBLAS_OP_T;
  if (lt_is_8f(a.type))
    return product.operation_a == CUBLAS_OP_T && product.operation_b == CUBLAS_OP_N && a.leading % 16 == 0 &&
           b.leading % 16 == 0 && d.leading * lt_bytes(d.type) % 16 == 0;
  if (in_int)
    return product.operation_a == CUBLAS_OP_T && product.operation_b == CUBLAS_OP_N && a.leading % 4 == 0 &&
           b.leading % 4 == 0 && d.leading % 4 == 0;
  return true;
}

struct LtOperands {
  LtProduct product;
  LtLayout a;
  LtLayout b;
  LtLayout c;
  LtLayout d;
  LtShape shape() const {
    return {static_cast<Index>(product.operation_a == CUBLAS_OP_N ? a.rows : a.columns),
            static_cast<Index>(product.operation_b == CUBLAS_OP_N ? b.columns : b.rows),
            static_cast<Index>(product.operation_a == CUBLAS_OP_N ? a.columns : a.rows)};
  }
  cublasStatus_t check() const {
    WARPMARK_BLAS_VALUES(is_operation(product.operation_a) && is_operation(product.operation_b) &&
                         is_operation(product.operation_c));
    WARPMARK_BLAS_VALUES(product.pointer_mode >= CUBLASLT_POINTER_MODE_HOST &&
                         product.pointer_mode <= CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST);
    WARPMARK_BLAS_VALUES(lt_is_layout(a, "A") && lt_is_layout(b, "B") && lt_is_layout(c, "C") &&
                         lt_is_layout(d, "D") && lt_has_shapes(shape(), product, a, b, c, d));
    WARPMARK_BLAS_VALUES(a.batches == d.batches && b.batches == d.batches && c.batches == d.batches);
    if (product.operation_c != CUBLAS_OP_N || product.fill != CUBLAS_FILL_MODE_FULL || a.plane != 0 ||
        b.plane != 0 || c.plane != 0 || d.plane != 0 || c.order != d.order)
      return CUBLAS_STATUS_NOT_SUPPORTED;
    const cublasStatus_t types =
        with_lt_types(product, a, b, c, d, [](auto, auto, auto) { return CUBLAS_STATUS_SUCCESS; });
    if (types != CUBLAS_STATUS_SUCCESS) return types;
    if (!lt_is_form(product, a, b, d)) return CUBLAS_STATUS_NOT_SUPPORTED;
    const cublasStatus_t scales = lt_check_scales(product, a, d);
    return scales == CUBLAS_STATUS_SUCCESS ? lt_check_epilogue(product, a, c, d) : scales;
  }
};

}  // namespace warpmark_blas
