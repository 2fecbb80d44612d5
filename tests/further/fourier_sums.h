// The sums that define a Fourier transform, and numbers in the types of cuFFT.
#pragma once

#include <complex>

#include <cufft.h>

#include "../libraries/check.h"

using Complex = std::complex<double>;
using Array = std::vector<Complex>;

struct Sizes {
  int n0, n1, n2;
  int total() const { return n0 * n1 * n2; }
  int half() const { return n2 / 2 + 1; }
};

inline void expect_ok(cufftResult status, const char* what) {
  expect(status == CUFFT_SUCCESS, what);
}

// One direction of `size` elements, `inner` apart; sign is the exponent's.
inline void transform_axis(Array& array, int size, int inner, int sign) {
  Array line(static_cast<size_t>(size));
  for (size_t begin = 0; begin < array.size(); ++begin) {
    if (begin / inner % size != 0) continue;
    for (int k = 0; k < size; ++k) {
      line[k] = 0;
      for (int j = 0; j < size; ++j) {
        const double angle = 2 * M_PI * (static_cast<long long>(j) * k % size) / size;
        line[k] += array[begin + size_t(j) * inner] * std::polar(1.0, sign * angle);
      }
    }
    for (int k = 0; k < size; ++k) array[begin + size_t(k) * inner] = line[k];
  }
}
inline Array transformed(Array array, Sizes sizes, int sign) {
  transform_axis(array, sizes.n2, 1, sign);
  transform_axis(array, sizes.n1, sizes.n2, sign);
  transform_axis(array, sizes.n0, sizes.n1 * sizes.n2, sign);
  return array;
}

inline Array complex_numbers(int count) {
  const auto parts = numbers<double>(2 * count, 8);
  Array array(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) array[i] = {parts[2 * i], parts[2 * i + 1]};
  return array;
}
template <typename C, typename R>
std::vector<C> narrowed(const Array& array) {
  std::vector<C> narrow;
  for (const Complex& each : array)
    narrow.push_back({static_cast<R>(each.real()), static_cast<R>(each.imag())});
  return narrow;
}
template <typename C>
inline std::vector<double> parts_of(const std::vector<C>& array) {
  std::vector<double> parts;
  for (const C& each : array) {
    parts.push_back(each.x);
    parts.push_back(each.y);
  }
  return parts;
}
inline std::vector<double> parts_of(const Array& array) {
  return parts_of(narrowed<cufftDoubleComplex, double>(array));
}
inline std::vector<double> real_parts(const Array& array) {
  std::vector<double> parts;
  for (const Complex& each : array) parts.push_back(each.real());
  return parts;
}
inline std::vector<double> widened(const std::vector<float>& array) {
  return {array.begin(), array.end()};
}
