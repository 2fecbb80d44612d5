// Products of a warp's matrices in all three shapes.
#include <cstdlib>

#include <mma.h>

using namespace nvcuda;

template <int M, int N, int K, typename Sum>
__global__ void multiply(const __half* a, const __half* b, Sum* c) {
  wmma::fragment<wmma::matrix_a, M, N, K, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, M, N, K, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sums;
  wmma::fill_fragment(sums, Sum(0.0f));
  wmma::load_matrix_sync(left, a, K);
  wmma::load_matrix_sync(right, b, K);
  wmma::mma_sync(sums, left, right, sums);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] * Sum(2.0f);
  wmma::store_matrix_sync(c, sums, N, wmma::mem_row_major);
}

template <int M, int N, typename Sum>
void check(const __half* a, const __half* b, Sum* c) {
  multiply<M, N, 16, Sum><<<1, 32>>>(a, b, c);
  cudaDeviceSynchronize();
  for (int row = 0; row < M; ++row) {
    for (int column = 0; column < N; ++column) {
      float exact = 0;
      for (int k = 0; k < 16; ++k) exact += float(a[row * 16 + k]) * float(b[column * 16 + k]);
      if (float(c[row * N + column]) != 2 * exact) abort();
    }
  }
}

int main() {
  __half *a, *b;
  void* c;
  cudaMallocManaged(&a, 512 * sizeof(__half));
  cudaMallocManaged(&b, 512 * sizeof(__half));
  cudaMallocManaged(&c, 1024);
  for (int i = 0; i < 512; ++i) {
    a[i] = float(i % 7);
    b[i] = float(i % 5 - 2);
  }
  check<16, 16>(a, b, static_cast<float*>(c));
  check<32, 8>(a, b, static_cast<float*>(c));
  check<8, 32>(a, b, static_cast<__half*>(c));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
