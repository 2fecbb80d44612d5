// cuBLAS: many matrices in one call, in groups, with vectors and by triangles, against plain loops.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../libraries/check.h"

cublasHandle_t handle;
constexpr int kRows = 5;
constexpr int kColumns = 3;
constexpr int kLeading = 6;
constexpr int kCount = 4;

void expect_ok(cublasStatus_t status, const char* what) {
  expect(status == CUBLAS_STATUS_SUCCESS, what);
}

// Equally long arrays behind one another, and a pointer to each.
template <typename T>
struct Many {
  Device<T> values;
  Device<T*> places;
  Many(const std::vector<T>& all, int each)
      : values(all), places(pointers(values, all.size() / each, each)) {}
  static std::vector<T*> pointers(T* first, size_t count, int each) {
    std::vector<T*> all;
    for (size_t i = 0; i < count; ++i) all.push_back(first + i * each);
    return all;
  }
};

template <typename To, typename From>
std::vector<To> as(const std::vector<From>& values) {
  std::vector<To> all;
  for (const From& value : values) all.push_back(static_cast<To>(static_cast<float>(value)));
  return all;
}

template <typename S, typename T, typename Y, typename Batched, typename Strided>
void test_vectors(cublasOperation_t op, const Batched& batched, const Strided& strided, const char* what) {
  const bool plain = op == CUBLAS_OP_N;
  const int rows = plain ? kRows : kColumns, columns = plain ? kColumns : kRows;
  const auto a = numbers<float>(kLeading * kColumns * kCount, 5);
  const auto x = numbers<float>(2 * kRows * kCount, 5), y = numbers<float>(2 * kRows * kCount, 5);
  auto wanted = y;
  const S alpha = 2, beta = -1;
  for (int batch = 0; batch < kCount; ++batch) {
    for (int i = 0; i < rows; ++i) {
      float sum = 0;
      for (int j = 0; j < columns; ++j)
        sum += a[batch * kLeading * kColumns + (plain ? i + j * kLeading : j + i * kLeading)] *
               x[2 * kRows * batch + 2 * j];
      float& element = wanted[2 * kRows * batch + rows - 1 - i];
      element = 2 * sum - element;
    }
  }
  const Many<T> da(as<T>(a), kLeading * kColumns), dx(as<T>(x), 2 * kRows);
  const Many<Y> by_pointers(as<Y>(y), 2 * kRows), by_strides(as<Y>(y), 2 * kRows);
  expect_ok(batched(handle, op, kRows, kColumns, &alpha, da.places, kLeading, dx.places, 2, &beta,
                    by_pointers.places, -1, kCount),
            what);
  expect_ok(strided(handle, op, kRows, kColumns, &alpha, da.values, kLeading, kLeading * kColumns, dx.values,
                    2, 2 * kRows, &beta, by_strides.values, -1, 2 * kRows, kCount),
            what);
  expect_equal(as<float>(by_pointers.values.values()), wanted, what);
  expect_equal(as<float>(by_strides.values.values()), wanted, what);
}
#define TEST_VECTORS(op, L, S, T, Y)                                         \
  test_vectors<S, T, Y>(                                                     \
      op, [](const auto&... all) { return cublas##L##gemvBatched(all...); }, \
      [](const auto&... all) { return cublas##L##gemvStridedBatched(all...); }, #L "gemv")

void test_complex_vectors() {
  const std::vector<cuComplex> a{{1, 2}, {3, -1}}, x{{2, 1}, {1, 1}}, y{{1, 0}, {0, 1}};
  const cuComplex one{1, 0}, factor{0, 1};
  const Many<cuComplex> da(a, 1), dx(x, 1), dy(y, 1);
  expect_ok(cublasCgemvBatched(handle, CUBLAS_OP_C, 1, 1, &one, da.places, 1, dx.places, 1, &factor,
                               dy.places, 1, 2),
            "Cgemv");
  const auto values = dy.values.values();
  expect(values[0].x == 4 && values[0].y == -2 && values[1].x == 1 && values[1].y == 4, "Cgemv");
}

// A X = alpha B or X A = alpha B, where each X is known.
void test_triangles(bool left, cublasOperation_t op) {
  const int order = left ? kRows : kColumns;
  auto a = numbers<double>(kLeading * order * kCount, 4);
  const auto x = numbers<double>(kLeading * kColumns * kCount, 5);
  auto b = x;
  for (int batch = 0; batch < kCount; ++batch) {
    double* matrix = &a[batch * kLeading * order];
    for (int i = 0; i < order; ++i) matrix[i + i * kLeading] = 1 << (i % 3);
    const auto at = [&](int i, int j) {
      if (op != CUBLAS_OP_N) std::swap(i, j);
      return i >= j ? matrix[i + j * kLeading] : 0;
    };
    for (int j = 0; j < kColumns; ++j) {
      for (int i = 0; i < kRows; ++i) {
        const int first = batch * kLeading * kColumns;
        double sum = 0;
        for (int l = 0; l < order; ++l)
          sum += left ? at(i, l) * x[first + l + j * kLeading] : x[first + i + l * kLeading] * at(l, j);
        b[first + i + j * kLeading] = sum / 2;
      }
    }
  }
  const double alpha = 2;
  const Many<double> da(a, kLeading * order), db(b, kLeading * kColumns);
  expect_ok(cublasDtrsmBatched(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER,
                               op, CUBLAS_DIAG_NON_UNIT, kRows, kColumns, &alpha, da.places, kLeading,
                               db.places, kLeading, kCount),
            "trsmBatched");
  expect_equal(db.values.values(), x, "trsmBatched");
}

// Two products of one shape and one of another.
void test_groups() {
  const cublasOperation_t transa[] = {CUBLAS_OP_N, CUBLAS_OP_T}, transb[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int m[] = {4, 2}, n[] = {3, 5}, k[] = {2, 6}, lda[] = {4, 6}, ldb[] = {2, 6}, ldc[] = {4, 2};
  const int sizes[] = {2, 1};
  const float alpha[] = {1, 2}, beta[] = {0, -1};
  constexpr int kEach = 30;
  const auto a = numbers<float>(3 * kEach, 5), b = numbers<float>(3 * kEach, 5);
  const auto c = numbers<float>(3 * kEach, 5);
  auto wanted = c;
  for (int batch = 0; batch < 3; ++batch) {
    const int group = batch / 2;
    for (int j = 0; j < n[group]; ++j) {
      for (int i = 0; i < m[group]; ++i) {
        float sum = 0;
        for (int l = 0; l < k[group]; ++l)
          sum += a[batch * kEach + (group == 0 ? i + l * lda[0] : l + i * lda[1])] *
                 b[batch * kEach + l + j * ldb[group]];
        float& element = wanted[batch * kEach + i + j * ldc[group]];
        element = alpha[group] * sum + beta[group] * element;
      }
    }
  }
  const Many<float> da(a, kEach), db(b, kEach), dc(c, kEach), by_type(c, kEach);
  expect_ok(cublasSgemmGroupedBatched(handle, transa, transb, m, n, k, alpha, da.places, lda, db.places, ldb,
                                      beta, dc.places, ldc, 2, sizes),
            "SgemmGroupedBatched");
  expect_equal(dc.values.values(), wanted, "SgemmGroupedBatched");
  const auto pointers = [](const Many<float>& all) {
    return reinterpret_cast<void* const*>(all.places.get());
  };
  const auto type = CUDA_R_32F;
  expect_ok(cublasGemmGroupedBatchedEx(handle, transa, transb, m, n, k, alpha, pointers(da), type, lda,
                                       pointers(db), type, ldb, beta, pointers(by_type), type, ldc, 2, sizes,
                                       CUBLAS_COMPUTE_32F),
            "GemmGroupedBatchedEx");
  expect_equal(by_type.values.values(), wanted, "GemmGroupedBatchedEx");

  const auto wide = as<double>(a), high = as<double>(b), old = as<double>(c);
  const double of_product[] = {1, 2}, of_old[] = {0, -1};
  const Many<double> ea(wide, kEach), eb(high, kEach), ec(old, kEach);
  expect_ok(cublasDgemmGroupedBatched(handle, transa, transb, m, n, k, of_product, ea.places, lda, eb.places,
                                      ldb, of_old, ec.places, ldc, 2, sizes),
            "DgemmGroupedBatched");
  expect_equal(as<float>(ec.values.values()), wanted, "DgemmGroupedBatched");
  const int small[] = {3, 6};
  expect(cublasSgemmGroupedBatched(handle, transa, transb, m, n, k, alpha, da.places, small, db.places, ldb,
                                   beta, dc.places, ldc, 2, sizes) == CUBLAS_STATUS_INVALID_VALUE,
         "rows that do not fit");
}

void test_half() {
  const auto a = numbers<float>(8, 5), b = numbers<float>(8, 5);
  std::vector<float> wanted;
  for (int batch = 0; batch < 2; ++batch) {
    for (int at = 0; at < 4; ++at) {
      const int i = 4 * batch + at % 2, j = 4 * batch + at / 2 * 2;
      wanted.push_back(a[i] * b[j] + a[i + 2] * b[j + 1]);
    }
  }
  const Many<__half> da(as<__half>(a), 4), db(as<__half>(b), 4), c(as<__half>(a), 4), d(as<__half>(a), 4);
  const __half one = 1.0f, zero = 0.0f;
  const auto op = CUBLAS_OP_N;
  expect_ok(
      cublasHgemmBatched(handle, op, op, 2, 2, 2, &one, da.places, 2, db.places, 2, &zero, c.places, 2, 2),
      "HgemmBatched");
  expect_ok(cublasHgemmStridedBatched(handle, op, op, 2, 2, 2, &one, da.values, 2, 4, db.values, 2, 4, &zero,
                                      d.values, 2, 4, 2),
            "HgemmStridedBatched");
  expect_equal(as<float>(c.values.values()), wanted, "HgemmBatched");
  expect_equal(as<float>(d.values.values()), wanted, "HgemmStridedBatched");
}

void test_bad_arguments() {
  const Many<float> all(numbers<float>(32, 5), 8);
  const float one = 1;
  const auto bad = CUBLAS_STATUS_INVALID_VALUE;
  expect(cublasSgemvBatched(handle, CUBLAS_OP_N, 4, 2, &one, all.places, 3, all.places, 1, &one, all.places,
                            1, 2) == bad,
         "rows that do not fit");
  expect(cublasStrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                            CUBLAS_DIAG_NON_UNIT, 4, 2, &one, all.places, 3, all.places, 4, 2) == bad,
         "a triangle that does not fit");
  expect(cublasStrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                            CUBLAS_DIAG_NON_UNIT, 2, 2, &one, all.places, 2, all.places, 2, -1) == bad,
         "a negative count");
}

int main() {
  expect_ok(cublasCreate(&handle), "create");
  for (auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    TEST_VECTORS(op, S, float, float, float);
    TEST_VECTORS(op, D, double, double, double);
    TEST_VECTORS(op, HSH, float, __half, __half);
    TEST_VECTORS(op, HSS, float, __half, float);
    TEST_VECTORS(op, TST, float, __nv_bfloat16, __nv_bfloat16);
    TEST_VECTORS(op, TSS, float, __nv_bfloat16, float);
    test_triangles(true, op);
    test_triangles(false, op);
  }
  test_complex_vectors();
  test_groups();
  test_half();
  test_bad_arguments();
  expect_ok(cublasDestroy(handle), "destroy");
  return result();
}
