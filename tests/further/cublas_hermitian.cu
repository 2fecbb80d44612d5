// cuBLAS: Hermitian matrices and updates of S, D, C and Z against plain loops.
#include <complex>

#include <cublas_v2.h>

#include "../libraries/check.h"

cublasHandle_t handle;
constexpr int kSize = 9;
constexpr int kInner = 5;
constexpr int kLeading = 11;
constexpr int kBeside = 2;  // diagonals of a band

// The two precisions by their letters.
#define BY_TYPE(name)                                            \
  template <typename... Arguments>                               \
  cublasStatus_t name(cuComplex, Arguments... arguments) {       \
    return cublasC##name(handle, arguments...);                  \
  }                                                              \
  template <typename... Arguments>                               \
  cublasStatus_t name(cuDoubleComplex, Arguments... arguments) { \
    return cublasZ##name(handle, arguments...);                  \
  }
BY_TYPE(hpmv)
BY_TYPE(hbmv)
BY_TYPE(hemv)
BY_TYPE(her)
BY_TYPE(her2)
BY_TYPE(hpr)
BY_TYPE(hpr2)
BY_TYPE(herk)
BY_TYPE(her2k)
BY_TYPE(herkx)
BY_TYPE(syrkx)
BY_TYPE(gemm3m)

template <typename T>
using Exact = std::complex<decltype(T::x)>;

template <typename T>
std::vector<T> complex_numbers(int count) {
  std::vector<T> values(static_cast<size_t>(count));
  for (T& value : values) {
    value.x = numbers<decltype(T::x)>(1, 5)[0];
    value.y = numbers<decltype(T::x)>(1, 5)[0];
  }
  return values;
}
template <typename T>
Exact<T> exact(const T& value) {
  return {value.x, value.y};
}
template <typename T>
T narrow(const Exact<T>& value) {
  return {value.real(), value.imag()};
}
template <typename T>
void expect_same(const Device<T>& actual, const std::vector<T>& wanted, const char* what) {
  const auto values = actual.values();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (values[i].x == wanted[i].x && values[i].y == wanted[i].y) continue;
    printf("wrong: %s: element %zu is %g%+gi, not %g%+gi\n", what, i, static_cast<double>(values[i].x),
           static_cast<double>(values[i].y), static_cast<double>(wanted[i].x),
           static_cast<double>(wanted[i].y));
    ++failures;
    return;
  }
}
void expect_ok(cublasStatus_t status, const char* what) {
  expect(status == CUBLAS_STATUS_SUCCESS, what);
}

// The triangle that is stored, and where an element of it lies.
struct Stored {
  bool lower;
  cublasFillMode_t fill() const { return lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER; }
  bool has(int i, int j) const { return lower ? i >= j : i <= j; }
  int packed(int i, int j) const { return lower ? i + (2 * kSize - j - 1) * j / 2 : i + j * (j + 1) / 2; }
  int banded(int i, int j) const { return (lower ? i - j : kBeside + i - j) + j * (kBeside + 1); }
};

// Numbers below and above the diagonal that are each other's conjugates.
template <typename T>
Exact<T> hermitian(const Stored& stored, int i, int j, const T& value) {
  if (i == j) return value.x;
  return stored.has(i, j) ? exact(value) : std::conj(exact(value));
}

template <typename T>
void test_vectors(const Stored& stored) {
  using E = Exact<T>;
  const auto a = complex_numbers<T>(kLeading * kSize);
  const auto x = complex_numbers<T>(kSize), y = complex_numbers<T>(2 * kSize);
  std::vector<T> packed(kSize * (kSize + 1) / 2), banded((kBeside + 1) * kSize);
  const auto at = [&](int i, int j) {
    return hermitian(stored, i, j, stored.has(i, j) ? a[i + j * kLeading] : a[j + i * kLeading]);
  };
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      if (!stored.has(i, j)) continue;
      packed[stored.packed(i, j)] = a[i + j * kLeading];
      if (std::abs(i - j) <= kBeside) banded[stored.banded(i, j)] = a[i + j * kLeading];
    }
  }
  const T alpha{2, -1}, beta{-1, 3};
  auto wanted = y, wanted_band = y;
  for (int i = 0; i < kSize; ++i) {
    E sum = 0, band = 0;
    for (int j = 0; j < kSize; ++j) {
      sum += at(i, j) * exact(x[j]);
      if (std::abs(i - j) <= kBeside) band += at(i, j) * exact(x[j]);
    }
    wanted[2 * i] = narrow<T>(exact(alpha) * sum + exact(beta) * exact(y[2 * i]));
    wanted_band[2 * i] = narrow<T>(exact(alpha) * band + exact(beta) * exact(y[2 * i]));
  }
  const Device<T> da(a), dp(packed), db(banded), dx(x), dense(y), in_pack(y), in_band(y);
  expect_ok(hemv(T{}, stored.fill(), kSize, &alpha, da.get(), kLeading, dx.get(), 1, &beta, dense.get(), 2),
            "hemv");
  expect_same(dense, wanted, "hemv");
  expect_ok(hpmv(T{}, stored.fill(), kSize, &alpha, dp.get(), dx.get(), 1, &beta, in_pack.get(), 2), "hpmv");
  expect_same(in_pack, wanted, "hpmv");
  expect_ok(hbmv(T{}, stored.fill(), kSize, kBeside, &alpha, db.get(), kBeside + 1, dx.get(), 1, &beta,
                 in_band.get(), 2),
            "hbmv");
  expect_same(in_band, wanted_band, "hbmv");
}

template <typename T>
void test_ranks(const Stored& stored) {
  using E = Exact<T>;
  using R = decltype(T::x);
  const auto a = complex_numbers<T>(kLeading * kSize);
  const auto x = complex_numbers<T>(kSize), y = complex_numbers<T>(kSize);
  std::vector<T> packed(kSize * (kSize + 1) / 2);
  auto one = a, two = a, packed_one = packed, packed_two = packed;
  const R real = 3;
  const T alpha{2, -1};
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      if (!stored.has(i, j)) continue;
      const int place = stored.packed(i, j);
      packed[place] = a[i + j * kLeading];
      const E old = i == j ? E(a[i + j * kLeading].x) : exact(a[i + j * kLeading]);
      const E first = real * exact(x[i]) * std::conj(exact(x[j]));
      const E both = exact(alpha) * exact(x[i]) * std::conj(exact(y[j])) +
                     std::conj(exact(alpha)) * exact(y[i]) * std::conj(exact(x[j]));
      one[i + j * kLeading] = packed_one[place] = narrow<T>(old + first);
      two[i + j * kLeading] = packed_two[place] = narrow<T>(old + both);
    }
  }
  const std::vector<T> reversed(x.rbegin(), x.rend());
  const Device<T> da(a), db(a), dp(packed), dq(packed), dx(x), dr(reversed), dy(y);
  expect_ok(her(T{}, stored.fill(), kSize, &real, dr.get(), -1, da.get(), kLeading), "her");
  expect_same(da, one, "her");
  expect_ok(her2(T{}, stored.fill(), kSize, &alpha, dx.get(), 1, dy.get(), 1, db.get(), kLeading), "her2");
  expect_same(db, two, "her2");
  expect_ok(hpr(T{}, stored.fill(), kSize, &real, dx.get(), 1, dp.get()), "hpr");
  expect_same(dp, packed_one, "hpr");
  expect_ok(hpr2(T{}, stored.fill(), kSize, &alpha, dx.get(), 1, dy.get(), 1, dq.get()), "hpr2");
  expect_same(dq, packed_two, "hpr2");
}

// op(A) op(B)^H or op(A) op(B)^T with sizes of which the product's triangle is written.
template <typename T>
void test_products(const Stored& stored, bool plain) {
  using E = Exact<T>;
  using R = decltype(T::x);
  const auto a = complex_numbers<T>(kLeading * kSize), b = complex_numbers<T>(kLeading * kSize);
  const auto c = complex_numbers<T>(kLeading * kSize);
  const auto of = [&](const std::vector<T>& all, int i, int l, bool conjugated) {
    const E value = exact(plain ? all[i + l * kLeading] : all[l + i * kLeading]);
    return conjugated ? std::conj(value) : value;
  };
  const R real = 3, beta = -2;
  const T alpha{2, -1}, complex_beta{1, 1};
  auto rank = c, two = c, other = c, symmetric = c;
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      if (!stored.has(i, j)) continue;
      const int place = i + j * kLeading;
      E self = 0, ab = 0, ba = 0, transposed = 0;
      for (int l = 0; l < kInner; ++l) {
        self += of(a, i, l, !plain) * of(a, j, l, plain);
        ab += of(a, i, l, !plain) * of(b, j, l, plain);
        ba += of(b, i, l, !plain) * of(a, j, l, plain);
        transposed += of(a, i, l, false) * of(b, j, l, false);
      }
      const E old = i == j ? E(c[place].x) : exact(c[place]);
      const E extended = exact(alpha) * ab + beta * old;
      rank[place] = narrow<T>(real * self + beta * old);
      two[place] = narrow<T>(exact(alpha) * ab + std::conj(exact(alpha)) * ba + beta * old);
      other[place] = narrow<T>(i == j ? E(extended.real()) : extended);
      symmetric[place] = narrow<T>(exact(alpha) * transposed + exact(complex_beta) * exact(c[place]));
    }
  }
  const auto op = plain ? CUBLAS_OP_N : CUBLAS_OP_C;
  const Device<T> da(a), db(b), c0(c), c1(c), c2(c), c3(c);
  expect_ok(herk(T{}, stored.fill(), op, kSize, kInner, &real, da.get(), kLeading, &beta, c0.get(), kLeading),
            "herk");
  expect_same(c0, rank, "herk");
  expect_ok(her2k(T{}, stored.fill(), op, kSize, kInner, &alpha, da.get(), kLeading, db.get(), kLeading,
                  &beta, c1.get(), kLeading),
            "her2k");
  expect_same(c1, two, "her2k");
  expect_ok(herkx(T{}, stored.fill(), op, kSize, kInner, &alpha, da.get(), kLeading, db.get(), kLeading,
                  &beta, c2.get(), kLeading),
            "herkx");
  expect_same(c2, other, "herkx");
  expect_ok(syrkx(T{}, stored.fill(), plain ? CUBLAS_OP_N : CUBLAS_OP_T, kSize, kInner, &alpha, da.get(),
                  kLeading, db.get(), kLeading, &complex_beta, c3.get(), kLeading),
            "syrkx");
  expect_same(c3, symmetric, "syrkx");
  if (plain) return;
  // Transposed means the conjugate, too.
  const Device<T> c4(c);
  expect_ok(herk(T{}, stored.fill(), CUBLAS_OP_T, kSize, kInner, &real, da.get(), kLeading, &beta, c4.get(),
                 kLeading),
            "herk transposed");
  expect_same(c4, rank, "herk transposed");
}

// The same by enumerators, with factors in device memory, and by three multiplications.
void test_by_type() {
  using T = cuComplex;
  const auto a = complex_numbers<T>(kSize * kSize), c = complex_numbers<T>(kSize * kSize);
  const float alpha = 2, beta = 3;
  const T one{1, 0}, zero{0, 0};
  const Device<T> da(a), c0(c), c1(c), c2(c), c3(c), c4(size_t{kSize * kSize}), c5(size_t{kSize * kSize});
  const Device<float> factors(std::vector<float>{alpha, beta});
  const auto fill = CUBLAS_FILL_MODE_LOWER;
  const auto op = CUBLAS_OP_C;
  const auto type = CUDA_C_32F;
  expect_ok(cublasCherk(handle, fill, op, kSize, kSize, &alpha, da, kSize, &beta, c0, kSize), "herk");
  expect_ok(cublasCherkEx(handle, fill, op, kSize, kSize, &alpha, da, type, kSize, &beta, c1, type, kSize),
            "CherkEx");
  expect_ok(cublasCherk3mEx(handle, fill, op, kSize, kSize, &alpha, da, type, kSize, &beta, c2, type, kSize),
            "Cherk3mEx");
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  expect_ok(cublasCherk(handle, fill, op, kSize, kSize, factors, da, kSize, factors.get() + 1, c3, kSize),
            "herk");
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  expect_same(c1, c0.values(), "CherkEx");
  expect_same(c2, c0.values(), "Cherk3mEx");
  expect_same(c3, c0.values(), "herk with factors in device memory");
  const Device<T> s0(c), s1(c), s2(c);
  const auto none = CUBLAS_OP_N;
  expect_ok(cublasCsyrk(handle, fill, none, kSize, kSize, &one, da, kSize, &one, s0, kSize), "syrk");
  expect_ok(cublasCsyrkEx(handle, fill, none, kSize, kSize, &one, da, type, kSize, &one, s1, type, kSize),
            "CsyrkEx");
  expect_ok(cublasCsyrk3mEx(handle, fill, none, kSize, kSize, &one, da, type, kSize, &one, s2, type, kSize),
            "Csyrk3mEx");
  expect_same(s1, s0.values(), "CsyrkEx");
  expect_same(s2, s0.values(), "Csyrk3mEx");
  expect_ok(cublasCgemm(handle, op, none, kSize, kSize, kSize, &one, da, kSize, da, kSize, &zero, c4, kSize),
            "gemm");
  expect_ok(gemm3m(T{}, op, none, kSize, kSize, kSize, &one, da.get(), kSize, da.get(), kSize, &zero,
                   c5.get(), kSize),
            "gemm3m");
  expect_same(c5, c4.values(), "gemm3m");
  const Device<T> c6(c);
  expect_ok(cublasCgemm3mEx(handle, op, none, kSize, kSize, kSize, &one, da, type, kSize, da, type, kSize,
                            &zero, c6, type, kSize),
            "Cgemm3mEx");
  expect_same(c6, c4.values(), "Cgemm3mEx");
}

void test_bad_arguments() {
  const Device<cuComplex> a(complex_numbers<cuComplex>(kSize * kSize));
  const float one = 1;
  const cuComplex unit{1, 0};
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const auto bad = CUBLAS_STATUS_INVALID_VALUE;
  expect(cublasCher(handle, lower, -1, &one, a, 1, a, kSize) == bad, "a negative size");
  expect(cublasCher(handle, lower, kSize, &one, a, 0, a, kSize) == bad, "an increment of 0");
  expect(cublasCher2(handle, lower, kSize, &unit, a, 1, a, 1, a, kSize - 1) == bad, "rows that do not fit");
  expect(cublasChbmv(handle, lower, kSize, 3, &unit, a, 3, a, 1, &unit, a, 1) == bad, "a band that is cut");
  expect(cublasCherk(handle, lower, CUBLAS_OP_C, 2, 3, &one, a, 2, &one, a, 2) == bad,
         "herk of too few rows");
  expect(cublasChpr(handle, static_cast<cublasFillMode_t>(7), 2, &one, a, 1, a) == bad, "no triangle");
  expect(
      cublasCherk(nullptr, lower, CUBLAS_OP_N, 2, 2, &one, a, 2, &one, a, 2) == CUBLAS_STATUS_NOT_INITIALIZED,
      "no handle");
  expect(cublasCherkEx(handle, lower, CUBLAS_OP_N, 2, 2, &one, a, CUDA_C_64F, 2, &one, a, CUDA_C_64F, 2) ==
             CUBLAS_STATUS_NOT_SUPPORTED,
         "of double numbers");
}

int main() {
  expect_ok(cublasCreate(&handle), "create");
  for (bool lower : {false, true}) {
    test_vectors<cuComplex>({lower});
    test_vectors<cuDoubleComplex>({lower});
    test_ranks<cuComplex>({lower});
    test_ranks<cuDoubleComplex>({lower});
    for (bool plain : {false, true}) {
      test_products<cuComplex>({lower}, plain);
      test_products<cuDoubleComplex>({lower}, plain);
    }
  }
  test_by_type();
  test_bad_arguments();
  expect_ok(cublasDestroy(handle), "destroy");
  return result();
}
