// cuBLASLt: epilogues, gradients and transforms against plain loops.
#include <functional>

#include "lt_products.h"

constexpr int kRows = 18;
constexpr int kColumns = 10;

// Everything that an epilogue does, on float.
struct Dense {
  int m = 16;
  int n = 12;
  int k = 8;
  std::vector<float> a = numbers<float>(m * k, 4);
  std::vector<float> b = numbers<float>(k * n, 4);
  std::vector<float> column = numbers<float>(m, 20);
  Device<float> on_a{a};
  Device<float> on_b{b};
  Device<float> on_column{column};
  Device<float> on_d{static_cast<size_t>(m * n)};
  Layout of_a{CUDA_R_32F, m, k, m};
  Layout of_b{CUDA_R_32F, k, n, k};
  Layout of_d{CUDA_R_32F, m, n, m};
  std::vector<float> wanted = sums<float>(a, m, false, b, k, false, m, n, k);
  void run(const Product& product, const char* what, float alpha = 1) {
    const float zero = 0;
    multiply(product, &alpha, on_a, of_a, on_b, of_b, &zero, on_d, of_d, on_d, of_d, what);
  }
  std::vector<float> each(const std::function<float(float sum, int row)>& of) const {
    std::vector<float> values;
    for (int i = 0; i < m * n; ++i) values.push_back(of(wanted[i], i % m));
    return values;
  }
};
double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

void check_epilogues() {
  Dense at;
  Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  product.bias(at.on_column.get());
  at.run(product.epilogue(CUBLASLT_EPILOGUE_RELU), "relu");
  expect_equal(at.on_d.values(), at.each([](float x, int) { return x > 0 ? x : 0; }), "relu");
  at.run(product.epilogue(CUBLASLT_EPILOGUE_BIAS), "bias");
  expect_equal(at.on_d.values(), at.each([&](float x, int row) { return x + at.column[row]; }), "bias");
  at.run(product.epilogue(CUBLASLT_EPILOGUE_RELU_BIAS), "relu of bias");
  expect_equal(at.on_d.values(), at.each([&](float x, int row) {
    const float y = x + at.column[row];
    return y > 0 ? y : 0;
  }),
               "relu of bias");
  at.run(product.epilogue(CUBLASLT_EPILOGUE_GELU), "gelu", 0.125F);
  expect_near(at.on_d.values(), at.each([](float x, int) { return static_cast<float>(gelu(x / 8)); }), 2e-3,
              "gelu");
  at.run(product.epilogue(CUBLASLT_EPILOGUE_GELU_BIAS), "gelu of bias", 0.125F);
  expect_near(at.on_d.values(),
              at.each([&](float x, int row) { return static_cast<float>(gelu(x / 8 + at.column[row])); }),
              2e-3, "gelu of bias");
}

// What training needs: masks of ReLU, inputs of GELU, and gradients.
void check_gradients() {
  Dense at;
  const int bits = 128;
  const Device<unsigned char> mask(std::vector<unsigned char>(static_cast<size_t>(bits / 8 * at.n)));
  Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  at.run(product.bias(at.on_column.get()).extra(mask.get(), bits).epilogue(CUBLASLT_EPILOGUE_RELU_AUX_BIAS),
         "a mask");
  const auto seen = mask.values();
  const auto positive = [&](int row, int column) {
    return at.wanted[row + column * at.m] + at.column[row] > 0;
  };
  bool right = true;
  for (int i = 0; i < at.m * at.n; ++i) {
    const int bit = i % at.m + i / at.m * bits;
    right = right && (seen[bit / 8] >> bit % 8 & 1) == (positive(i % at.m, i / at.m) ? 1 : 0);
  }
  expect(right, "a mask");

  const Device<float> sum_of_rows(static_cast<size_t>(at.m));
  Product back(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  at.run(back.bias(sum_of_rows.get()).extra(mask.get(), bits).epilogue(CUBLASLT_EPILOGUE_DRELU_BGRAD),
         "gradient of relu");
  std::vector<float> wanted = at.wanted;
  std::vector<float> of_rows(static_cast<size_t>(at.m));
  for (int i = 0; i < at.m * at.n; ++i) {
    if (!positive(i % at.m, i / at.m)) wanted[i] = 0;
    of_rows[i % at.m] += wanted[i];
  }
  expect_equal(at.on_d.values(), wanted, "gradient of relu");
  expect_equal(sum_of_rows.values(), of_rows, "gradient of the bias");

  const Device<float> inputs(static_cast<size_t>(at.m * at.n));
  at.run(product.extra(inputs.get(), at.m).epilogue(CUBLASLT_EPILOGUE_GELU_AUX_BIAS), "input of gelu");
  expect_equal(inputs.values(), at.each([&](float x, int row) { return x + at.column[row]; }),
               "input of gelu");
  at.run(back.extra(inputs.get(), at.m).epilogue(CUBLASLT_EPILOGUE_DGELU), "gradient of gelu");
  expect_near(at.on_d.values(), at.each([&](float x, int row) {
    const double y = x + at.column[row];
    return static_cast<float>(x * (gelu(y + 1e-5) - gelu(y - 1e-5)) / 2e-5);
  }),
              0.2, "gradient of gelu");

  const Device<float> of_b(static_cast<size_t>(at.n));
  at.run(back.bias(sum_of_rows.get()).epilogue(CUBLASLT_EPILOGUE_BGRADA), "sums of A");
  std::vector<float> along_a(static_cast<size_t>(at.m));
  for (int i = 0; i < at.m * at.k; ++i) along_a[i % at.m] += at.a[i];
  expect_equal(sum_of_rows.values(), along_a, "sums of A");
  at.run(back.bias(of_b.get()).epilogue(CUBLASLT_EPILOGUE_BGRADB), "sums of B");
  std::vector<float> along_b(static_cast<size_t>(at.n));
  for (int i = 0; i < at.k * at.n; ++i) along_b[i / at.k] += at.b[i];
  expect_equal(of_b.values(), along_b, "sums of B");
  expect_equal(at.on_d.values(), at.wanted, "a product beside its sums");
}

void transform(cublasOperation_t of_first, const float& alpha, const void* a, const Layout& of_a,
               const float& beta, const void* b, cublasLtMatrixLayout_t of_b, void* c, const Layout& of_c,
               const char* what) {
  cublasLtMatrixTransformDesc_t how;
  expect_ok(cublasLtMatrixTransformDescCreate(&how, CUDA_R_32F), what);
  expect_ok(cublasLtMatrixTransformDescSetAttribute(how, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &of_first,
                                                    sizeof(of_first)),
            what);
  expect_ok(cublasLtMatrixTransform(handle, how, &alpha, a, of_a, &beta, b, of_b, c, of_c, nullptr), what);
  expect_ok(cublasLtMatrixTransformDescDestroy(how), what);
}
void check_transforms() {
  const auto a = numbers<float>(kRows * kColumns, 50);
  const auto b = numbers<float>(kRows * kColumns, 50);
  const Device<float> on_a(a);
  const Device<float> on_b(b);
  const Device<float> on_c(static_cast<size_t>(kRows * kColumns));
  const Layout wide(CUDA_R_32F, kColumns, kRows, kColumns);
  const Layout high(CUDA_R_32F, kRows, kColumns, kRows);
  Layout by_rows(CUDA_R_32F, kRows, kColumns, kColumns);
  by_rows.order(CUBLASLT_ORDER_ROW);
  transform(CUBLAS_OP_T, 2, on_a, wide, -1, on_b, high, on_c, high, "2 A' - B");
  std::vector<float> wanted;
  for (int i = 0; i < kRows * kColumns; ++i) wanted.push_back(2 * a[i % kRows * kColumns + i / kRows] - b[i]);
  expect_equal(on_c.values(), wanted, "2 A' - B");
  transform(CUBLAS_OP_N, 1, on_a, high, 0, nullptr, nullptr, on_c, by_rows, "to rows");
  for (int i = 0; i < kRows * kColumns; ++i) wanted[i] = a[i % kColumns * kRows + i / kColumns];
  expect_equal(on_c.values(), wanted, "to rows");

  // Through tiles of 32 columns and back.
  const int rows = 40;
  const int columns = 64;
  const auto bytes = small<signed char>(rows * columns, 100);
  const Layout plain(CUDA_R_8I, rows, columns, rows);
  const Device<signed char> on_bytes(bytes);
  for (const int order : {CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL4_4R2_8C, CUBLASLT_ORDER_COL32_2R_4R4}) {
    const int leading = order == CUBLASLT_ORDER_COL32_2R_4R4 ? 64 * 32 : 40 * 32;
    Layout tiled(CUDA_R_8I, rows, columns, leading);
    tiled.order(order);
    const Device<signed char> there(std::vector<signed char>(static_cast<size_t>(2 * leading)));
    const Device<signed char> back(bytes.size());
    transform(CUBLAS_OP_N, 1, on_bytes, plain, 0, nullptr, nullptr, there, tiled, "to tiles");
    transform(CUBLAS_OP_N, 1, there, tiled, 0, nullptr, nullptr, back, plain, "from tiles");
    expect_equal(back.values(), bytes, "through tiles");
    if (order == CUBLASLT_ORDER_COL32)
      expect(there.values()[leading + 3 * 32 + 5] == bytes[3 + 37 * rows], "a place in a tile");
    if (order == CUBLASLT_ORDER_COL32_2R_4R4)
      expect(there.values()[leading + ((1 * 4 + 1) * 2 + 1) * 32 + 5] == bytes[11 + 37 * rows],
             "a place in a tile of rows and columns");
  }
}

void check_what_is_wrong() {
  Dense at;
  Product product(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const float one = 1;
  const Layout other(CUDA_R_32F, at.k + 1, at.n, at.k + 1);
  const auto call = [&](const Layout& of_b, cublasLtHandle_t with, const float* alpha) {
    return cublasLtMatmul(with, product, alpha, at.on_a, at.of_a, at.on_b, of_b, &one, at.on_d, at.of_d,
                          at.on_d, at.of_d, nullptr, nullptr, 0, nullptr);
  };
  expect_status(call(at.of_b, nullptr, &one), CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
  expect_status(call(at.of_b, handle, nullptr), CUBLAS_STATUS_INVALID_VALUE, "no alpha");
  expect_status(call(other, handle, &one), CUBLAS_STATUS_INVALID_VALUE, "sizes that do not fit");
}

int main() {
  expect_ok(cublasLtCreate(&handle), "a handle");
  check_epilogues();
  check_gradients();
  check_transforms();
  check_what_is_wrong();
  expect_ok(cublasLtDestroy(handle), "the end");
  return result();
}
