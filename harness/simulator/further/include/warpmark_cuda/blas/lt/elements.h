// cuBLASLt: addressing and conversion of matrix elements, for orders and types given at run time.
#pragma once

#include "cuda_fp8.h"
#include "warpmark_cuda/blas/lt/objects.h"
#include "warpmark_cuda/blas/numbers.h"

namespace warpmark_blas {

// Returns the index in memory of a matrix element, for each of cuBLASLt's orders. Tiled orders store groups
// of 32 columns, `leading` elements apart, as a stack of tiles from top to bottom.
__host__ __device__ __forceinline__ Index lt_place(int order, Index leading, Index row, Index column) {
  if (order == CUBLASLT_ORDER_COL) return row + column * leading;
  if (order == CUBLASLT_ORDER_ROW) return row * leading + column;
  const Index group = column / 32 * leading;
  const Index across = column % 32;
  if (order == CUBLASLT_ORDER_COL32) return group + row * 32 + across;
  if (order == CUBLASLT_ORDER_COL4_4R2_8C) {
    // CUBLASLT_ORDER_COL4_4R2_8C: number of the 32-element block within an 8 x 32 tile; a block has 4 rows
    // (all even or all odd) and 8 columns
    const Index cell = row % 2 * 4 + across / 8;
    const Index four = across % 8 / 4 * 4 + row % 8 / 2;
    return group + row / 8 * 256 + cell * 32 + four * 4 + across % 4;
  }
  const Index line = (row % 8 / 2 * 4 + row % 32 / 8) * 2 + row % 2;
  return group + row / 32 * 1024 + line * 32 + across;
}
// Returns the minimum leading dimension of a cuBLASLt matrix, which depends on the matrix's order.
inline Index lt_least_leading(const LtLayout& layout) {
  const auto rows = static_cast<Index>(layout.rows);
  switch (layout.order) {
    case CUBLASLT_ORDER_COL:
      return rows;
    case CUBLASLT_ORDER_ROW:
      return static_cast<Index>(layout.columns);
    case CUBLASLT_ORDER_COL32:
      return rows * 32;
    case CUBLASLT_ORDER_COL4_4R2_8C:
      return warpmark_lib::parts(rows, 8) * 256;
    default:
      return warpmark_lib::parts(rows, 32) * 1024;
  }
}
inline bool lt_is_tiled(const LtLayout& layout) {
  return layout.order != CUBLASLT_ORDER_COL && layout.order != CUBLASLT_ORDER_ROW;
}
inline bool lt_is_8f(int type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}
inline int lt_bytes(int type) {
  switch (type) {
    case CUDA_C_64F:
      return 16;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_8I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return 1;
    default:
      return 0;
  }
}

__device__ __forceinline__ float lt_from_8f(unsigned char bits, bool e5m2) {
  return static_cast<float>(__half(__nv_cvt_fp8_to_halfraw(bits, e5m2 ? __NV_E5M2 : __NV_E4M3)));
}

// Loads element `i` of an array whose data type is known only at run time, converted to W (float, double, int
// or complex).
template <typename W>
__device__ __forceinline__ W lt_load(int type, const void* data, Index i) {
  if constexpr (kIsComplex<W> || std::is_same_v<W, double>) {
    return static_cast<const W*>(data)[i];
  } else {
    switch (type) {
      case CUDA_R_32F:
        return static_cast<W>(static_cast<const float*>(data)[i]);
      case CUDA_R_32I:
        return static_cast<W>(static_cast<const int*>(data)[i]);
      case CUDA_R_8I:
        return static_cast<W>(static_cast<const signed char*>(data)[i]);
      case CUDA_R_16F:
        return static_cast<W>(static_cast<float>(static_cast<const __half*>(data)[i]));
      case CUDA_R_16BF:
        return static_cast<W>(static_cast<float>(static_cast<const __nv_bfloat16*>(data)[i]));
      default:
        return static_cast<W>(lt_from_8f(static_cast<const unsigned char*>(data)[i], type == CUDA_R_8F_E5M2));
    }
  }
}
// Stores a value in an array whose data type is known only at run time. Integer types are rounded to nearest,
// 8-bit ones also saturated.
template <typename W>
__device__ __forceinline__ void lt_store(int type, void* data, Index i, W value) {
  if constexpr (kIsComplex<W> || std::is_same_v<W, double>) {
    static_cast<W*>(data)[i] = value;
  } else {
    const auto rounded = [&] {
      if constexpr (std::is_same_v<W, int>)
        return value;
      else
        return __float2int_rn(value);
    };
    const auto real = static_cast<float>(value);
    switch (type) {
      case CUDA_R_32F:
        static_cast<float*>(data)[i] = real;
        return;
      case CUDA_R_32I:
        static_cast<int*>(data)[i] = rounded();
        return;
      case CUDA_R_8I: {
        const int whole = rounded();
        static_cast<signed char*>(data)[i] = static_cast<signed char>(whole < -128  ? -128
                                                                      : whole > 127 ? 127
                                                                                    : whole);
        return;
      }
      case CUDA_R_16F:
        static_cast<__half*>(data)[i] = __half(real);
        return;
      case CUDA_R_16BF:
        static_cast<__nv_bfloat16*>(data)[i] = __nv_bfloat16(real);
        return;
      default:
        static_cast<unsigned char*>(data)[i] =
            __nv_cvt_float_to_fp8(real, __NV_SATFINITE, type == CUDA_R_8F_E5M2 ? __NV_E5M2 : __NV_E4M3);
    }
  }
}

// Matrix operand of a cuBLASLt product or transform: a batch of matrices, given by a constant stride or by an
// array of pointers in device memory.
struct LtMatrix {
  const void* data;
  int type;
  int bytes;
  int order;
  Index leading;
  Index stride;
  bool by_pointer;
  __device__ __forceinline__ void* start(Index batch) const {
    if (by_pointer) return static_cast<void* const*>(data)[batch];
    return const_cast<char*>(static_cast<const char*>(data)) + batch * stride * bytes;
  }
  template <typename W>
  __device__ __forceinline__ W load(Index batch, Index row, Index column) const {
    return lt_load<W>(type, start(batch), lt_place(order, leading, row, column));
  }
  template <typename W>
  __device__ __forceinline__ void store(Index batch, Index row, Index column, W value) const {
    lt_store<W>(type, start(batch), lt_place(order, leading, row, column), value);
  }
};
inline LtMatrix lt_matrix(const void* data, const LtLayout& layout) {
  return {data,
          layout.type,
          lt_bytes(layout.type),
          layout.order,
          static_cast<Index>(layout.leading),
          static_cast<Index>(layout.stride),
          layout.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY};
}

// Scalar factor of a cuBLASLt product (alpha or beta): a value, a pointer to device memory, or a device
// vector with one value per row.
template <typename W>
struct LtScalar {
  const void* device;
  int type;
  W value;
  bool by_row;
  Index stride;
  __device__ __forceinline__ W get(Index batch, Index row) const {
    if (device == nullptr) return value;
    return lt_load<W>(type, device, by_row ? batch * stride + row : 0);
  }
};
template <typename W>
LtScalar<W> lt_scalar(int type, const void* pointer, bool on_device, bool by_row, Index stride) {
  if (on_device) return {pointer, type, W{}, by_row, stride};
  if (pointer == nullptr) return {nullptr, type, W{}, false, 0};
  if constexpr (std::is_same_v<W, float>) {
    if (type == CUDA_R_16F)
      return {nullptr, type, static_cast<float>(*static_cast<const __half*>(pointer)), false, 0};
  }
  return {nullptr, type, *static_cast<const W*>(pointer), false, 0};
}

}  // namespace warpmark_blas
