// cuBLAS against plain loops: packed and banded triangles, modified rotations, many small factored matrices.
#include <cmath>
#include <vector>

#include <cublas_v2.h>

#include "../libraries/check.h"

cublasHandle_t handle;
constexpr int kSize = 7;
constexpr int kBeside = 2;  // diagonals of a band

bool close(const std::vector<double>& a, const std::vector<double>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-9)) return false;
  }
  return a.size() == b.size();
}

using OnDevice = Device<double>;

double value(int row, int column) {
  return row == column ? 5 + row : (row * 3 + column * 7) % 5 - 2.0;
}
std::vector<double> numbers(int count) {
  std::vector<double> all(count);
  for (int i = 0; i < count; ++i) all[i] = i % 4 - 1.25 * (i % 3) + 0.5;
  return all;
}

// The triangle of `value` by its storage, and the element that it stands for.
struct Triangle {
  bool lower, band;
  bool has(int i, int j) const { return (lower ? i >= j : i <= j) && (!band || std::abs(i - j) <= kBeside); }
  double at(int i, int j) const { return has(i, j) ? value(i, j) : 0; }
  double symmetric(int i, int j) const { return has(i, j) ? value(i, j) : at(j, i); }
  std::vector<double> stored() const {
    std::vector<double> all(band ? (kBeside + 1) * kSize : kSize * (kSize + 1) / 2);
    size_t next = 0;
    for (int j = 0; j < kSize; ++j) {
      for (int i = 0; i < kSize; ++i) {
        if (band && has(i, j)) all[(lower ? i - j : kBeside + i - j) + j * (kBeside + 1)] = value(i, j);
        if (!band && has(i, j)) all[next++] = value(i, j);
      }
    }
    return all;
  }
  cublasFillMode_t fill() const { return lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER; }
};

void test_symmetric(const Triangle& triangle) {
  const auto x = numbers(kSize), y = numbers(2 * kSize);
  const double alpha = 1.5, beta = -0.5;
  OnDevice a(triangle.stored()), dx(x), dy(y);
  const cublasStatus_t status =
      triangle.band
          ? cublasDsbmv(handle, triangle.fill(), kSize, kBeside, &alpha, a.get(), kBeside + 1, dx.get(), 1,
                        &beta, dy.get(), 2)
          : cublasDspmv(handle, triangle.fill(), kSize, &alpha, a.get(), dx.get(), 1, &beta, dy.get(), 2);
  auto expected = y;
  for (int i = 0; i < kSize; ++i) {
    double sum = 0;
    for (int j = 0; j < kSize; ++j) sum += triangle.symmetric(i, j) * x[j];
    expected[2 * i] = alpha * sum + beta * y[2 * i];
  }
  expect(status == CUBLAS_STATUS_SUCCESS && close(dy.values(), expected), "symmetric matrix and vector");
}

void test_triangular(const Triangle& triangle, cublasOperation_t op) {
  const auto x = numbers(kSize);
  OnDevice a(triangle.stored()), product(x);
  const auto call = [&](auto packed, auto banded) {
    return triangle.band ? banded(triangle.fill(), op, a.get()) : packed(triangle.fill(), op, a.get());
  };
  const auto none = CUBLAS_DIAG_NON_UNIT;
  cublasStatus_t status =
      call([&](auto fill, auto o,
               double* m) { return cublasDtpmv(handle, fill, o, none, kSize, m, product.get(), 1); },
           [&](auto fill, auto o, double* m) {
             return cublasDtbmv(handle, fill, o, none, kSize, kBeside, m, kBeside + 1, product.get(), 1);
           });
  std::vector<double> expected(kSize);
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j)
      expected[i] += (op == CUBLAS_OP_N ? triangle.at(i, j) : triangle.at(j, i)) * x[j];
  }
  expect(status == CUBLAS_STATUS_SUCCESS && close(product.values(), expected), "triangle and vector");
  status = call([&](auto fill, auto o,
                    double* m) { return cublasDtpsv(handle, fill, o, none, kSize, m, product.get(), 1); },
                [&](auto fill, auto o, double* m) {
                  return cublasDtbsv(handle, fill, o, none, kSize, kBeside, m, kBeside + 1, product.get(), 1);
                });
  expect(status == CUBLAS_STATUS_SUCCESS && close(product.values(), x), "solved by a triangle");
}

void test_ranks(const Triangle& triangle) {
  const auto x = numbers(kSize);
  std::vector<double> y(x.rbegin(), x.rend());
  const double alpha = 2;
  OnDevice one(triangle.stored()), two(triangle.stored()), dx(x), dy(y);
  cublasDspr(handle, triangle.fill(), kSize, &alpha, dx.get(), 1, one.get());
  cublasDspr2(handle, triangle.fill(), kSize, &alpha, dx.get(), 1, dy.get(), 1, two.get());
  auto expected_one = triangle.stored(), expected_two = triangle.stored();
  size_t next = 0;
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      if (!triangle.has(i, j)) continue;
      expected_one[next] += alpha * x[i] * x[j];
      expected_two[next++] += alpha * (x[i] * y[j] + y[i] * x[j]);
    }
  }
  expect(close(one.values(), expected_one) && close(two.values(), expected_two), "packed updates");
}

// Unpacked into a square, and packed again.
void test_packing(const Triangle& triangle) {
  const auto stored = triangle.stored();
  OnDevice packed(stored), square(std::vector<double>(kSize * kSize, -9.0)), again(numbers(stored.size()));
  cublasDtpttr(handle, triangle.fill(), kSize, packed.get(), square.get(), kSize);
  cublasDtrttp(handle, triangle.fill(), kSize, square.get(), kSize, again.get());
  std::vector<double> expected(kSize * kSize, -9.0);
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      if (triangle.has(i, j)) expected[i + j * kSize] = triangle.at(i, j);
    }
  }
  expect(close(square.values(), expected) && close(again.values(), stored), "packed and unpacked");
}

void test_rotation() {
  const auto x = numbers(kSize);
  std::vector<double> y(x.rbegin(), x.rend());
  for (double flag : {-2.0, -1.0, 0.0, 1.0}) {
    const double param[5] = {flag, 2, 3, 4, 5};
    const double h[4] = {flag == -1 || flag == 1 ? 2.0 : 1.0,
                         flag == -1 || flag == 0 ? 3.0
                         : flag == 1             ? -1.0
                                                 : 0.0,
                         flag == -1 || flag == 0 ? 4.0
                         : flag == 1             ? 1.0
                                                 : 0.0,
                         flag == -1 || flag == 1 ? 5.0 : 1.0};
    OnDevice dx(x), dy(y);
    cublasDrotm(handle, kSize, dx.get(), 1, dy.get(), 1, param);
    auto of_x = x, of_y = y;
    for (int i = 0; i < kSize; ++i) {
      of_x[i] = h[0] * x[i] + h[2] * y[i];
      of_y[i] = h[1] * x[i] + h[3] * y[i];
    }
    expect(close(dx.values(), of_x) && close(dy.values(), of_y), "modified rotation");
  }
}

void test_factors() {
  constexpr int kCount = 3;
  std::vector<double> all, right;
  for (int m = 0; m < kCount; ++m) {
    for (int at = 0; at < kSize * kSize; ++at) all.push_back(value((at + m) % kSize, at / kSize));
    for (int i = 0; i < kSize; ++i) {
      double sum = 0;
      for (int j = 0; j < kSize; ++j) sum += all[m * kSize * kSize + i + j * kSize] * (j + 1);
      right.push_back(sum);
    }
  }
  OnDevice a(all), kept(all), inverse(all), small(all), b(right);
  std::vector<double*> places;
  for (const OnDevice* each : {&a, &inverse, &small, &kept}) {
    for (int m = 0; m < kCount; ++m) places.push_back(each->get() + m * kSize * kSize);
  }
  for (int m = 0; m < kCount; ++m) places.push_back(b.get() + m * kSize);
  double** pointers;
  int *pivots, *info, wrong = 1;
  cudaMalloc(&pointers, places.size() * sizeof(double*));
  cudaMalloc(&pivots, kCount * kSize * sizeof(int));
  cudaMalloc(&info, kCount * sizeof(int));
  cudaMemcpy(pointers, places.data(), places.size() * sizeof(double*), cudaMemcpyHostToDevice);
  cublasDgetrfBatched(handle, kSize, pointers, kSize, pivots, info, kCount);
  cublasDgetriBatched(handle, kSize, pointers, kSize, pivots, pointers + kCount, kSize, info, kCount);
  cublasDgetrsBatched(handle, CUBLAS_OP_N, kSize, 1, pointers, kSize, pivots, pointers + 4 * kCount, kSize,
                      &wrong, kCount);
  cublasDmatinvBatched(handle, kSize, pointers + 3 * kCount, kSize, pointers + 2 * kCount, kSize, info,
                       kCount);
  std::vector<double> products, ones, solution;
  const auto inverted = inverse.values();
  for (int m = 0; m < kCount; ++m) {
    for (int at = 0; at < kSize * kSize; ++at) {
      double sum = 0;
      for (int k = 0; k < kSize; ++k)
        sum += all[m * kSize * kSize + at % kSize + k * kSize] *
               inverted[m * kSize * kSize + k + at / kSize * kSize];
      products.push_back(sum);
      ones.push_back(at % kSize == at / kSize ? 1 : 0);
    }
    for (int i = 0; i < kSize; ++i) solution.push_back(i + 1);
  }
  expect(wrong == 0 && close(products, ones), "inverses by factors");
  expect(close(small.values(), inverted), "inverses of small matrices");
  expect(close(b.values(), solution), "solutions by factors");
  cudaFree(pointers);
  cudaFree(pivots);
  cudaFree(info);
}

int main() {
  cublasCreate(&handle);
  for (bool lower : {false, true}) {
    for (bool band : {false, true}) {
      test_symmetric({lower, band});
      test_triangular({lower, band}, CUBLAS_OP_N);
      test_triangular({lower, band}, CUBLAS_OP_T);
    }
    test_ranks({lower, false});
    test_packing({lower, false});
  }
  test_rotation();
  test_factors();
  cublasDestroy(handle);
  return result();
}
