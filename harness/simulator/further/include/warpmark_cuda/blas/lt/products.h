// Kernels of cuBLASLt's matrix product. A thread computes 8 x 4 elements of D, because 8 rows of a column
// share one byte of ReLU's bit mask, which thus has a single writer.
#pragma once

#include "warpmark_cuda/blas/lt/elements.h"

namespace warpmark_blas {

constexpr int kLtRows = 8;
constexpr int kLtColumns = 4;

struct LtEightBits {
  unsigned char bits;
};
// Factor op(A) or op(B) of a cuBLASLt matrix product: the matrix and how to read an element of it.
template <typename T, bool tiled>
struct LtFactor {
  LtMatrix matrix;
  bool transposed;
  bool conjugated;
  template <typename S>
  __device__ __forceinline__ S get(const T* data, Index row, Index column) const {
    Index place = 0;
    if constexpr (tiled)
      place = transposed ? lt_place(matrix.order, matrix.leading, column, row)
                         : lt_place(matrix.order, matrix.leading, row, column);
    else
      place = transposed == (matrix.order == CUBLASLT_ORDER_COL) ? row * matrix.leading + column
                                                                 : row + column * matrix.leading;
    if constexpr (std::is_same_v<T, LtEightBits>)
      return lt_from_8f(data[place].bits, matrix.type == CUDA_R_8F_E5M2);
    else
      return conjugate(convert<S>(data[place]), conjugated);
  }
};

// GELU in its tanh approximation, and its derivative.
template <typename W>
__device__ __forceinline__ W lt_tanh_in_gelu(W x) {
  return static_cast<W>(tanh(W(0.7978845608028654) * (x + W(0.044715) * x * x * x)));
}
template <typename W>
__device__ __forceinline__ W lt_gelu(W x) {
  return W(0.5) * x * (1 + lt_tanh_in_gelu(x));
}
template <typename W>
__device__ __forceinline__ W lt_gelu_slope(W x) {
  const W t = lt_tanh_in_gelu(x);
  return W(0.5) * (1 + t) + W(0.5) * x * (1 - t * t) * W(0.7978845608028654) * (1 + W(3 * 0.044715) * x * x);
}

// Epilogue of a matrix product: turns a sum of products into an element of D (scaling, bias, activation
// function).
template <typename W>
struct LtEpilogue {
  unsigned int kind;
  LtScalar<W> alpha;
  LtScalar<W> beta;
  bool reads_c;
  LtMatrix c;
  LtMatrix d;
  LtMatrix bias;   // bias that the epilogue adds: a column vector, one value per row of D
  LtMatrix extra;  // epilogue's auxiliary matrix: ReLU's bit mask, or GELU's input
  const float* scale_a;
  const float* scale_b;
  bool scales_rows;  // true if scale_a holds one factor per row of op(A), false if it is a single factor
  // true if scale_b holds one factor per column of op(B), false if it is a single factor
  bool scales_columns;
  const float* scale_c;
  const float* scale_d;
  // cuBLASLt's amax output: bits of the largest |element| of D before scaling. Updated by integer atomicMax,
  // because non-negative floats order like their bit patterns.
  int* largest;

  __device__ __forceinline__ bool has(unsigned int part) const { return (kind & part) != 0; }
  // Returns the byte of ReLU's bit mask (the auxiliary matrix) that holds the bit of element (row, column).
  __device__ __forceinline__ unsigned char* byte_of(Index batch, Index row, Index column) const {
    const Index bit = batch * extra.stride + row + column * extra.leading;
    return static_cast<unsigned char*>(const_cast<void*>(extra.data)) + bit / 8;
  }

  __device__ __forceinline__ W scaled(Index batch, Index row, Index column, W sum) const {
    W value = multiply(alpha.get(batch, row), sum);
    if constexpr (std::is_same_v<W, float>) {
      if (scale_a != nullptr) value *= scale_a[scales_rows ? row : 0];
      if (scale_b != nullptr) value *= scale_b[scales_columns ? column : 0];
    }
    if (!reads_c) return value;
    const W of_old = beta.get(batch, row);
    if (is_zero(of_old)) return value;
    W old = c.template load<W>(batch, row, column);
    if constexpr (std::is_same_v<W, float>) {
      if (scale_c != nullptr) old *= *scale_c;
    }
    return multiply_add(of_old, old, value);
  }
  // Sets bit `bit` of `bits`, a byte of ReLU's mask, if the value is positive.
  __device__ __forceinline__ W bent(Index batch, Index row, Index column, W value, int bit,
                                    unsigned int& bits) const {
    if (has(CUBLASLT_EPILOGUE_BIAS)) value += bias.template load<W>(batch, row, 0);
    if (has(CUBLASLT_EPILOGUE_RELU)) {
      if (value > 0) bits |= 1u << bit;
      return value > 0 ? value : W(0);
    }
    if (has(CUBLASLT_EPILOGUE_GELU)) {
      if (has(128)) extra.template store<W>(batch, row, column, value);
      return lt_gelu(value);
    }
    if (has(8)) return (*byte_of(batch, row, column) >> bit & 1) != 0 ? value : W(0);
    if (has(64)) return value * lt_gelu_slope(extra.template load<W>(batch, row, column));
    return value;
  }
  __device__ __forceinline__ void finish(Index batch, Index row, Index column, W sum, int bit,
                                         unsigned int& bits) const {
    W value = scaled(batch, row, column, sum);
    if constexpr (std::is_same_v<W, float> || std::is_same_v<W, double>)
      value = bent(batch, row, column, value, bit, bits);
    if constexpr (std::is_same_v<W, float>) {
      if (largest != nullptr) atomicMax(largest, __float_as_int(fabsf(value)));
      if (scale_d != nullptr) value *= *scale_d;
    }
    d.template store<W>(batch, row, column, value);
  }
};

template <typename S, typename W, typename T, bool tiled>
struct LtMultiply {
  Index m;
  Index n;
  Index k;
  LtFactor<T, tiled> a;
  LtFactor<T, tiled> b;
  LtEpilogue<W> epilogue;

  static Index tiles_of(Index m, Index n) {
    return warpmark_lib::parts(m, kLtRows) * warpmark_lib::parts(n, kLtColumns);
  }
  __device__ void operator()(Index i) const {
    const Index down = (m + kLtRows - 1) / kLtRows;
    const Index tiles = down * ((n + kLtColumns - 1) / kLtColumns);
    const Index batch = i / tiles;
    const Index row = i % tiles % down * kLtRows;
    const Index column = i % tiles / down * kLtColumns;
    const T* left = static_cast<const T*>(a.matrix.start(batch));
    const T* right = static_cast<const T*>(b.matrix.start(batch));
    S sums[kLtRows][kLtColumns];
    for (int r = 0; r < kLtRows; ++r) {
      for (int c = 0; c < kLtColumns; ++c) sums[r][c] = S{};
    }
    for (Index l = 0; l < k; ++l) {
      S from_a[kLtRows];
      S from_b[kLtColumns];
#pragma unroll
      for (int r = 0; r < kLtRows; ++r) from_a[r] = a.template get<S>(left, row + r < m ? row + r : m - 1, l);
#pragma unroll
      for (int c = 0; c < kLtColumns; ++c)
        from_b[c] = b.template get<S>(right, l, column + c < n ? column + c : n - 1);
#pragma unroll
      for (int r = 0; r < kLtRows; ++r) {
#pragma unroll
        for (int c = 0; c < kLtColumns; ++c) sums[r][c] = multiply_add(from_a[r], from_b[c], sums[r][c]);
      }
    }
    for (int c = 0; c < kLtColumns && column + c < n; ++c) {
      unsigned int bits = 0;
      for (int r = 0; r < kLtRows && row + r < m; ++r)
        epilogue.finish(batch, row + r, column + c, convert<W>(sums[r][c]), r, bits);
      if (epilogue.has(CUBLASLT_EPILOGUE_RELU) && epilogue.has(128))
        *epilogue.byte_of(batch, row, column + c) = static_cast<unsigned char>(bits);
    }
  }
};

// Kernel functor of cuBLASLt's bias gradient: sums each row of D, or sums over k each row of op(A) or each
// column of op(B).
struct LtRowSums {
  Index m;
  Index n;
  LtMatrix d;
  LtMatrix bias;
  __device__ void operator()(Index i) const {
    float sum = 0;
    for (Index column = 0; column < n; ++column) sum += d.load<float>(i / m, i % m, column);
    bias.store<float>(i / m, i % m, 0, sum);
  }
};
template <typename T, bool of_b>
struct LtFactorSums {
  Index count;
  Index k;
  LtFactor<T, false> factor;
  LtMatrix bias;
  __device__ void operator()(Index i) const {
    const T* data = static_cast<const T*>(factor.matrix.start(i / count));
    float sum = 0;
    for (Index l = 0; l < k; ++l)
      sum += of_b ? factor.template get<float>(data, l, i % count)
                  : factor.template get<float>(data, i % count, l);
    bias.store<float>(i / count, i % count, 0, sum);
  }
};

}  // namespace warpmark_blas
