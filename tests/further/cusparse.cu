// cuSPARSE against dense loops: formats, operations, index types and bases, triangles, products, conversions,
// orders, incomplete factors, three diagonals.
#include <cstdint>

#include <cusparse.h>

#include "../libraries/check.h"

cusparseHandle_t handle;

void expect_ok(cusparseStatus_t status, const char* what) {
  if (status != CUSPARSE_STATUS_SUCCESS) printf("%s: %s\n", what, cusparseGetErrorString(status));
  expect(status == CUSPARSE_STATUS_SUCCESS, what);
}

// By columns.
struct Matrix {
  int rows, columns;
  std::vector<double> values;
  double& at(int row, int column) { return values[size_t(row + column * rows)]; }
  double at(int row, int column) const { return values[size_t(row + column * rows)]; }
};
Matrix sparse_matrix(int rows, int columns) {
  Matrix a{rows, columns, numbers<double>(rows * columns, 9)};
  for (double& value : a.values) value = next_number() % 3 == 0 ? value : 0;
  for (int i = 0; i < rows && i < columns; ++i) a.at(i, i) = 11 + i;
  return a;
}
Matrix dense_matrix(int rows, int columns) {
  return {rows, columns, numbers<double>(rows * columns, 9)};
}
Matrix transposed(const Matrix& a) {
  Matrix t{a.columns, a.rows, std::vector<double>(a.values.size())};
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) t.at(j, i) = a.at(i, j);
  }
  return t;
}
Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{a.rows, b.columns, std::vector<double>(size_t(a.rows * b.columns))};
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int k = 0; k < a.columns; ++k) c.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return c;
}

// The elements of a matrix by rows.
template <typename Int>
struct Stored {
  std::vector<Int> offsets, rows, columns;
  std::vector<double> values;
  Stored(const Matrix& a, int base) {
    for (int i = 0; i < a.rows; ++i) {
      offsets.push_back(Int(values.size()) + base);
      for (int j = 0; j < a.columns; ++j) {
        if (a.at(i, j) == 0) continue;
        rows.push_back(i + base);
        columns.push_back(j + base);
        values.push_back(a.at(i, j));
      }
    }
    offsets.push_back(Int(values.size()) + base);
  }
};
// The same on the device, with a descriptor.
template <typename Int>
struct OnDevice {
  Stored<Int> stored;
  Device<Int> offsets, rows, columns;
  Device<double> values;
  cusparseSpMatDescr_t descr;
  OnDevice(const Matrix& a, cusparseFormat_t format, int base)
      : stored(format == CUSPARSE_FORMAT_CSC ? transposed(a) : a, base),
        offsets(stored.offsets),
        rows(stored.rows),
        columns(stored.columns),
        values(stored.values) {
    const auto type = sizeof(Int) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const auto from = base == 0 ? CUSPARSE_INDEX_BASE_ZERO : CUSPARSE_INDEX_BASE_ONE;
    const auto count = static_cast<int64_t>(stored.values.size());
    cusparseStatus_t made = CUSPARSE_STATUS_SUCCESS;
    if (format == CUSPARSE_FORMAT_CSR)
      made = cusparseCreateCsr(&descr, a.rows, a.columns, count, offsets, columns, values, type, type, from,
                               CUDA_R_64F);
    else if (format == CUSPARSE_FORMAT_CSC)
      made = cusparseCreateCsc(&descr, a.rows, a.columns, count, offsets, columns, values, type, type, from,
                               CUDA_R_64F);
    else
      made =
          cusparseCreateCoo(&descr, a.rows, a.columns, count, rows, columns, values, type, from, CUDA_R_64F);
    expect_ok(made, "descriptor");
  }
  ~OnDevice() { cusparseDestroySpMat(descr); }
};
cusparseDnMatDescr_t dense(int rows, int columns, double* values,
                           cusparseOrder_t order = CUSPARSE_ORDER_COL) {
  cusparseDnMatDescr_t descr;
  expect_ok(cusparseCreateDnMat(&descr, rows, columns, order == CUSPARSE_ORDER_COL ? rows : columns, values,
                                CUDA_R_64F, order),
            "dense");
  return descr;
}

template <typename Int>
void test_products(cusparseFormat_t format, int base) {
  const double alpha = 2, beta = -3, nothing = 0;
  const Matrix a = sparse_matrix(13, 7);
  const OnDevice<Int> on_device(a, format, base);
  for (const auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
    const Matrix used = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? a : transposed(a);
    const Matrix x = dense_matrix(used.columns, 1), y = dense_matrix(used.rows, 1);
    const Device<double> dx(x.values), dy(y.values);
    cusparseDnVecDescr_t vx, vy;
    cusparseCreateDnVec(&vx, used.columns, dx, CUDA_R_64F);
    cusparseCreateDnVec(&vy, used.rows, dy, CUDA_R_64F);
    size_t bytes = 0;
    expect_ok(cusparseSpMV_bufferSize(handle, op, &alpha, on_device.descr, vx, &beta, vy, CUDA_R_64F,
                                      CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
              "bytes of SpMV");
    expect_ok(cusparseSpMV(handle, op, &alpha, on_device.descr, vx, &beta, vy, CUDA_R_64F,
                           CUSPARSE_SPMV_ALG_DEFAULT, nullptr),
              "SpMV");
    Matrix expected = product(used, x);
    for (size_t i = 0; i < expected.values.size(); ++i)
      expected.values[i] = alpha * expected.values[i] + beta * y.values[i];
    expect_equal(dy.values(), expected.values, "SpMV");
    cusparseDestroyDnVec(vx);
    cusparseDestroyDnVec(vy);

    // Into memory that nobody wrote, B by its rows and transposed.
    const Matrix b = dense_matrix(5, used.columns);
    const Device<double> db(transposed(b).values), dc(size_t(used.rows * 5));
    auto mb = dense(5, used.columns, db, CUSPARSE_ORDER_ROW), mc = dense(used.rows, 5, dc);
    expect_ok(cusparseSpMM(handle, op, CUSPARSE_OPERATION_TRANSPOSE, &alpha, on_device.descr, mb, &nothing,
                           mc, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr),
              "SpMM");
    expected = product(used, transposed(b));
    for (double& value : expected.values) value *= alpha;
    expect_equal(dc.values(), expected.values, "SpMM");
    cusparseDestroyDnMat(mb);
    cusparseDestroyDnMat(mc);
  }
}

void test_triangles(cusparseFormat_t format, cusparseOperation_t op, bool lower, bool unit) {
  constexpr int kSize = 9;
  const Matrix a = sparse_matrix(kSize, kSize);
  Matrix triangle = a;
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      if (lower ? i < j : i > j) triangle.at(i, j) = 0;
    }
    if (unit) triangle.at(i, i) = 1;
  }
  const Matrix used = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? triangle : transposed(triangle);
  const Matrix x = dense_matrix(kSize, 3);
  const Device<double> b(product(used, x).values), made(x.values.size());
  const OnDevice<int> on_device(a, format, 0);
  auto fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  auto diagonal = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseSpMatSetAttribute(on_device.descr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
  cusparseSpMatSetAttribute(on_device.descr, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal);
  const double one = 1;
  const auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  auto mb = dense(kSize, 3, b), mc = dense(kSize, 3, made);
  cusparseSpSMDescr_t matrix_solver;
  cusparseSpSM_createDescr(&matrix_solver);
  expect(cusparseSpSM_solve(handle, op, none, &one, on_device.descr, mb, mc, CUDA_R_64F,
                            CUSPARSE_SPSM_ALG_DEFAULT, matrix_solver) == CUSPARSE_STATUS_INVALID_VALUE,
         "not analysed");
  expect_ok(cusparseSpSM_analysis(handle, op, none, &one, on_device.descr, mb, mc, CUDA_R_64F,
                                  CUSPARSE_SPSM_ALG_DEFAULT, matrix_solver, nullptr),
            "analysis");
  expect_ok(cusparseSpSM_solve(handle, op, none, &one, on_device.descr, mb, mc, CUDA_R_64F,
                               CUSPARSE_SPSM_ALG_DEFAULT, matrix_solver),
            "SpSM");
  const double bound = unit ? 1e-3 : 1e-9;
  expect_near(made.values(), x.values, bound, "SpSM");
  cusparseSpSM_destroyDescr(matrix_solver);

  const double two = 2;
  cusparseDnVecDescr_t vb, vx;
  cusparseCreateDnVec(&vb, kSize, b, CUDA_R_64F);
  cusparseCreateDnVec(&vx, kSize, made, CUDA_R_64F);
  cusparseSpSVDescr_t solver;
  cusparseSpSV_createDescr(&solver);
  expect_ok(cusparseSpSV_analysis(handle, op, &two, on_device.descr, vb, vx, CUDA_R_64F,
                                  CUSPARSE_SPSV_ALG_DEFAULT, solver, nullptr),
            "analysis");
  expect_ok(cusparseSpSV_solve(handle, op, &two, on_device.descr, vb, vx, CUDA_R_64F,
                               CUSPARSE_SPSV_ALG_DEFAULT, solver),
            "SpSV");
  std::vector<double> twice(x.values.begin(), x.values.begin() + kSize);
  for (double& value : twice) value *= 2;
  expect_near(made.values(kSize), twice, bound, "SpSV");
  cusparseSpSV_destroyDescr(solver);
  cusparseDestroyDnVec(vb);
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnMat(mb);
  cusparseDestroyDnMat(mc);
}

void test_sparse_product() {
  const Matrix a = sparse_matrix(8, 11), b = sparse_matrix(11, 6);
  const OnDevice<int> da(a, CUSPARSE_FORMAT_CSR, 0), db(b, CUSPARSE_FORMAT_CSR, 1);
  const Device<int> offsets(9);
  const double alpha = 3, nothing = 0;
  const auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseSpMatDescr_t c;
  cusparseCreateCsr(&c, 8, 6, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  cusparseSpGEMMDescr_t work;
  cusparseSpGEMM_createDescr(&work);
  size_t bytes = 0;
  const auto estimate = [&](void* buffer) {
    return cusparseSpGEMM_workEstimation(handle, none, none, &alpha, da.descr, db.descr, &nothing, c,
                                         CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes, buffer);
  };
  const auto compute = [&](void* buffer) {
    return cusparseSpGEMM_compute(handle, none, none, &alpha, da.descr, db.descr, &nothing, c, CUDA_R_64F,
                                  CUSPARSE_SPGEMM_DEFAULT, work, &bytes, buffer);
  };
  expect_ok(estimate(nullptr), "estimation");
  const Device<char> first(bytes);
  expect_ok(estimate(first), "estimation");
  expect_ok(compute(nullptr), "bytes of SpGEMM");
  const Device<char> second(bytes);
  expect_ok(compute(second), "SpGEMM");
  int64_t rows = 0, columns = 0, count = 0;
  cusparseSpMatGetSize(c, &rows, &columns, &count);
  Matrix expected = product(a, b);
  for (double& value : expected.values) value *= alpha;
  const Device<int> indices(static_cast<size_t>(count));
  const Device<double> values(static_cast<size_t>(count));
  expect_ok(cusparseCsrSetPointers(c, offsets, indices, values), "pointers");
  expect_ok(cusparseSpGEMM_copy(handle, none, none, &alpha, da.descr, db.descr, &nothing, c, CUDA_R_64F,
                                CUSPARSE_SPGEMM_DEFAULT, work),
            "copy of SpGEMM");
  const Device<double> whole(expected.values.size());
  auto dense_c = dense(8, 6, whole);
  expect_ok(cusparseSparseToDense(handle, c, dense_c, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr),
            "to dense");
  expect_equal(whole.values(), expected.values, "SpGEMM");

  // The product where another matrix has elements.
  const Matrix left = dense_matrix(8, 4), right = dense_matrix(4, 6);
  const Device<double> dl(left.values), dr(right.values);
  auto ml = dense(8, 4, dl), mr = dense(4, 6, dr);
  expect_ok(cusparseSDDMM(handle, none, none, &alpha, ml, mr, &nothing, c, CUDA_R_64F,
                          CUSPARSE_SDDMM_ALG_DEFAULT, nullptr),
            "SDDMM");
  expect_ok(cusparseSparseToDense(handle, c, dense_c, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr),
            "to dense");
  std::vector<int> where_offsets = offsets.values(9), where = indices.values();
  Matrix sampled = product(left, right), kept{8, 6, std::vector<double>(48)};
  for (int i = 0; i < 8; ++i) {
    for (int k = where_offsets[i]; k < where_offsets[i + 1]; ++k)
      kept.at(i, where[k]) = alpha * sampled.at(i, where[k]);
  }
  expect_equal(whole.values(), kept.values, "SDDMM");
  for (auto each : {ml, mr, dense_c}) cusparseDestroyDnMat(each);
  cusparseSpGEMM_destroyDescr(work);
  cusparseDestroySpMat(c);
}

void test_from_dense(cusparseFormat_t format) {
  const Matrix a = sparse_matrix(6, 9);
  const Stored<int64_t> expected(format == CUSPARSE_FORMAT_CSC ? transposed(a) : a, 1);
  const Device<double> da(a.values), values(expected.values.size());
  const Device<int64_t> offsets(expected.offsets.size()), indices(expected.columns.size());
  const Device<int64_t> rows(expected.rows.size());
  auto dense_a = dense(6, 9, da);
  cusparseSpMatDescr_t b;
  const auto wide = CUSPARSE_INDEX_64I;
  const auto base = CUSPARSE_INDEX_BASE_ONE;
  if (format == CUSPARSE_FORMAT_COO)
    cusparseCreateCoo(&b, 6, 9, 0, rows, indices, values, wide, base, CUDA_R_64F);
  else if (format == CUSPARSE_FORMAT_CSR)
    cusparseCreateCsr(&b, 6, 9, 0, offsets, indices, values, wide, wide, base, CUDA_R_64F);
  else
    cusparseCreateCsc(&b, 6, 9, 0, offsets, indices, values, wide, wide, base, CUDA_R_64F);
  size_t bytes = 0;
  const auto algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  expect_ok(cusparseDenseToSparse_bufferSize(handle, dense_a, b, algorithm, &bytes), "from dense");
  const Device<char> buffer(bytes);
  expect_ok(cusparseDenseToSparse_analysis(handle, dense_a, b, algorithm, buffer), "from dense");
  int64_t m = 0, n = 0, count = 0;
  cusparseSpMatGetSize(b, &m, &n, &count);
  expect(count == static_cast<int64_t>(expected.values.size()), "elements of a dense matrix");
  expect_ok(cusparseDenseToSparse_convert(handle, dense_a, b, algorithm, buffer), "from dense");
  expect_equal(values.values(), expected.values, "values from dense");
  expect_equal(indices.values(), expected.columns, "indices from dense");
  if (format == CUSPARSE_FORMAT_COO)
    expect_equal(rows.values(), expected.rows, "rows from dense");
  else
    expect_equal(offsets.values(), expected.offsets, "offsets from dense");
  cusparseDestroySpMat(b);
  cusparseDestroyDnMat(dense_a);
}

int main() {
  expect_ok(cusparseCreate(&handle), "create");
  for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
    test_products<int>(format, 0);
    test_products<int64_t>(format, 1);
    test_from_dense(format);
  }
  for (const auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
    for (const bool lower : {false, true}) {
      test_triangles(CUSPARSE_FORMAT_CSR, op, lower, false);
      test_triangles(CUSPARSE_FORMAT_COO, op, lower, true);
      test_triangles(CUSPARSE_FORMAT_CSC, op, lower, false);
    }
  }
  test_sparse_product();
  expect_ok(cusparseDestroy(handle), "destroy");
  return result();
}
