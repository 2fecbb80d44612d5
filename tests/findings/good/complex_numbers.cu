// cuda::std's complex numbers, products and quotients in both precisions.
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cuda/std/complex>

template <typename T>
__global__ void compute(T* out, T a, T b, T c, T d) {
  const cuda::std::complex<T> x(a, b), y(c, d);
  const cuda::std::complex<T> product = x * y, quotient = x / y;
  out[0] = product.real(), out[1] = product.imag();
  out[2] = quotient.real(), out[3] = quotient.imag();
}

template <typename T>
bool right(T a, T b, T c, T d) {
  T *device, host[4];
  cudaMalloc(&device, sizeof host);
  compute<<<1, 1>>>(device, a, b, c, d);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  const std::complex<T> x(a, b), y(c, d);
  const std::complex<T> product(host[0], host[1]), quotient(host[2], host[3]);
  return std::abs(product - x * y) < 1e-4 && std::abs(quotient - x / y) < 1e-4;
}

int main() {
  if (!right(1.0f, 2.0f, 3.0f, -4.0f) || !right(1.0, 2.0, 0.5, -4.0) || !right(-1.0, 2.0, 5.0, 0.25)) abort();
}
