// Implements the warp matrix functions nvcuda::wmma. Lane l holds the elements l, l + 32, ... of a fragment's
// matrix in row-major order. Products are added in the order of k, in the accumulator's type, by ordinary
// arithmetic. CUDA documents neither the distribution of elements over lanes nor the order of the sums.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__CUDA__)

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}  // namespace precision

#define WARPMARK_WMMA __device__ __attribute__((always_inline, nodebug))

namespace warpmark {

// Number of rows and columns of a fragment's matrix.
template <typename Use, int M, int N, int K>
struct Shape;
template <int M, int N, int K>
struct Shape<matrix_a, M, N, K> {
  static const int rows = M, columns = K;
};
template <int M, int N, int K>
struct Shape<matrix_b, M, N, K> {
  static const int rows = K, columns = N;
};
template <int M, int N, int K>
struct Shape<accumulator, M, N, K> {
  static const int rows = M, columns = N;
};
template <typename T>
struct Stored {
  typedef T type;
};
template <>
struct Stored<precision::tf32> {
  typedef float type;
};
template <typename Layout>
struct IsColumns {
  static const bool value = false;
};
template <>
struct IsColumns<col_major> {
  static const bool value = true;
};

WARPMARK_WMMA inline unsigned int lane() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
WARPMARK_WMMA inline float of_lane(float value, unsigned int lane) {
  return __shfl_sync(0xffffffffu, value, (int)lane);
}
WARPMARK_WMMA inline double of_lane(double value, unsigned int lane) {
  return __shfl_sync(0xffffffffu, value, (int)lane);
}
WARPMARK_WMMA inline int of_lane(int value, unsigned int lane) {
  return __shfl_sync(0xffffffffu, value, (int)lane);
}
// Converts a matrix element to float, the type in which products are computed.
WARPMARK_WMMA inline float wide(__half value) {
  return __half2float(value);
}
WARPMARK_WMMA inline float wide(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
WARPMARK_WMMA inline float wide(float value) {
  return value;
}
WARPMARK_WMMA inline double wide(double value) {
  return value;
}
WARPMARK_WMMA inline int wide(signed char value) {
  return value;
}
WARPMARK_WMMA inline int wide(unsigned char value) {
  return value;
}
WARPMARK_WMMA inline int wide(int value) {
  return value;
}

}  // namespace warpmark

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment {
 public:
  typedef typename warpmark::Stored<T>::type element_type;
  typedef element_type storage_element_type;
  static const int rows = warpmark::Shape<Use, M, N, K>::rows;
  static const int columns = warpmark::Shape<Use, M, N, K>::columns;
  static const int num_elements = (rows * columns + 31) / 32;
  static const int num_storage_elements = num_elements;
  element_type x[num_elements];
};

WARPMARK_WMMA inline float __float_to_tf32(float value) {
  const unsigned int bits = __float_as_uint(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return __uint_as_float((bits + 0xfffu + (bits >> 13 & 1)) & 0xffffe000u);
}

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
WARPMARK_WMMA inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& to, const Value& value) {
  for (int i = 0; i < to.num_elements; ++i) to.x[i] = value;
}

namespace warpmark {
template <bool kColumns, typename Fragment, typename T>
WARPMARK_WMMA inline void load(Fragment& to, const T* from, unsigned int stride) {
  __syncwarp();
  for (int i = 0; i < to.num_elements; ++i) {
    const unsigned int at = 32 * i + lane();
    const unsigned int row = at / to.columns, column = at % to.columns;
    if (row < to.rows) to.x[i] = from[kColumns ? column * stride + row : row * stride + column];
  }
  __syncwarp();
}
template <bool kColumns, typename Fragment, typename T>
WARPMARK_WMMA inline void store(T* to, const Fragment& from, unsigned int stride) {
  __syncwarp();
  for (int i = 0; i < from.num_elements; ++i) {
    const unsigned int at = 32 * i + lane();
    const unsigned int row = at / from.columns, column = at % from.columns;
    if (row < from.rows) to[kColumns ? column * stride + row : row * stride + column] = from.x[i];
  }
  __syncwarp();
}
}  // namespace warpmark

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Memory>
WARPMARK_WMMA inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& to, const Memory* from,
                                           unsigned int stride) {
  warpmark::load<warpmark::IsColumns<Layout>::value>(to, from, stride);
}
template <int M, int N, int K, typename T, typename Memory>
WARPMARK_WMMA inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& to, const Memory* from,
                                           unsigned int stride, layout_t layout) {
  if (layout == mem_col_major)
    warpmark::load<true>(to, from, stride);
  else
    warpmark::load<false>(to, from, stride);
}
template <int M, int N, int K, typename T, typename Memory>
WARPMARK_WMMA inline void store_matrix_sync(Memory* to, const fragment<accumulator, M, N, K, T>& from,
                                            unsigned int stride, layout_t layout) {
  if (layout == mem_col_major)
    warpmark::store<true>(to, from, stride);
  else
    warpmark::store<false>(to, from, stride);
}

// wmma::mma_sync computes d = a * b + c. Each lane computes the elements of d that it holds, and obtains
// elements of a and b from other lanes by shuffles.
template <int M, int N, int K, typename A, typename LayoutA, typename B, typename LayoutB, typename C,
          typename D>
WARPMARK_WMMA inline void mma_sync(fragment<accumulator, M, N, K, D>& d,
                                   const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                                   const fragment<matrix_b, M, N, K, B, LayoutB>& b,
                                   const fragment<accumulator, M, N, K, C>& c, bool = false) {
  decltype(warpmark::wide(c.x[0])) sums[M * N / 32];
  for (int i = 0; i < c.num_elements; ++i) sums[i] = warpmark::wide(c.x[i]);
  const unsigned int column = warpmark::lane() % N;
  for (int k = 0; k < K; ++k) {
    // Matrix product a * b with wmma fragments: N divides 32, so the element of b that a lane needs has the
    // same index in another lane's fragment for all lanes, as a shuffle requires.
    const auto y = warpmark::of_lane(warpmark::wide(b.x[k * N / 32]), (k * N + column) % 32);
    for (int i = 0; i < d.num_elements; ++i) {
      const unsigned int row = (32 * i + warpmark::lane()) / N;
      decltype(warpmark::wide(a.x[0])) x = 0;
      // wmma matrix product: [first, last] are the indices in fragment a at which any lane holds an element
      // of column k that element i of d needs. The loop shuffles each index, and a lane keeps the value that
      // it needs.
      const unsigned int first = (32 * i / N * K + k) / 32, last = ((32 * i + 31) / N * K + k) / 32;
      for (unsigned int e = first; e <= last; ++e) {
        const auto value = warpmark::of_lane(warpmark::wide(a.x[e]), (row * K + k) % 32);
        if ((row * K + k) / 32 == e) x = value;
      }
      sums[i] += x * y;
    }
  }
  for (int i = 0; i < d.num_elements; ++i) d.x[i] = sums[i];
}

}  // namespace wmma
}  // namespace nvcuda

#endif
