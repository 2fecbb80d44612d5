// cuFFT against the sum that defines it: lengths with small, large and no factors, ranks, batches, layouts,
// real transforms in place, work areas of the program.
#include <cufft.h>
#include <cufftXt.h>

#include "fourier_sums.h"

void test_length(int n, int batch) {
  const Sizes sizes{1, 1, n};
  const Array input = complex_numbers(n * batch);
  const auto forward = parts_of(transformed(input, sizes, -1));
  const auto inverse = parts_of(transformed(input, sizes, 1));
  char what[64];
  std::snprintf(what, sizeof what, "%d transforms of %d", batch, n);
  cufftHandle plan;
  {
    expect_ok(cufftPlan1d(&plan, n, CUFFT_C2C, batch), what);
    const Device<cufftComplex> data(narrowed<cufftComplex, float>(input)), out(input.size());
    expect_ok(cufftExecC2C(plan, data, out, CUFFT_FORWARD), what);
    expect_near(parts_of(out.values()), forward, 2e-5 * n, what);
    expect_ok(cufftExecC2C(plan, data, data, CUFFT_INVERSE), what);
    expect_near(parts_of(data.values()), inverse, 2e-5 * n, what);
    expect_ok(cufftDestroy(plan), what);
  }
  expect_ok(cufftPlan1d(&plan, n, CUFFT_Z2Z, batch), what);
  const Device<cufftDoubleComplex> data(narrowed<cufftDoubleComplex, double>(input));
  expect_ok(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD), what);
  expect_near(parts_of(data.values()), forward, 1e-11 * n, what);
  expect_ok(cufftExecZ2Z(plan, data, data, CUFFT_INVERSE), what);
  Array again = input;
  for (Complex& each : again) each *= n;
  expect_near(parts_of(data.values()), parts_of(again), 1e-11 * n, what);
  expect_ok(cufftDestroy(plan), what);
}

// Rows of `from` elements, of which the first `to` are kept, or that are made longer.
template <typename T>
std::vector<T> with_rows(const std::vector<T>& array, int from, int to) {
  std::vector<T> changed;
  for (size_t begin = 0; begin < array.size(); begin += size_t(from)) {
    for (int i = 0; i < to; ++i) changed.push_back(i < from ? array[begin + size_t(i)] : T{});
  }
  return changed;
}

void test_real(Sizes sizes) {
  char what[64];
  std::snprintf(what, sizeof what, "real %d x %d x %d", sizes.n0, sizes.n1, sizes.n2);
  Array input = complex_numbers(sizes.total());
  for (Complex& each : input) each = each.real();
  const auto half = with_rows(transformed(input, sizes, -1), sizes.n2, sizes.half());
  std::vector<double> scaled = real_parts(input);
  for (double& each : scaled) each *= sizes.total();
  std::vector<float> narrow;
  for (const Complex& each : input) narrow.push_back(static_cast<float>(each.real()));

  cufftHandle there, back;
  expect_ok(cufftPlan3d(&there, sizes.n0, sizes.n1, sizes.n2, CUFFT_R2C), what);
  expect_ok(cufftPlan3d(&back, sizes.n0, sizes.n1, sizes.n2, CUFFT_C2R), what);
  {
    const Device<float> data(narrow), result(narrow.size());
    const Device<cufftComplex> spectrum(half.size());
    expect_ok(cufftExecR2C(there, data, spectrum), what);
    expect_near(parts_of(spectrum.values()), parts_of(half), 2e-5 * sizes.total(), what);
    expect_ok(cufftExecC2R(back, spectrum, result), what);
    expect_near(widened(result.values()), scaled, 1e-4 * sizes.total(), what);
  }
  // In place, rows are padded to hold the spectrum.
  const Device<float> data(with_rows(narrow, sizes.n2, 2 * sizes.half()));
  auto* const spectrum = reinterpret_cast<cufftComplex*>(data.get());
  expect_ok(cufftExecR2C(there, data, spectrum), what);
  std::vector<cufftComplex> made(half.size());
  cudaMemcpy(made.data(), data.get(), made.size() * sizeof made[0], cudaMemcpyDeviceToHost);
  expect_near(parts_of(made), parts_of(half), 2e-5 * sizes.total(), what);
  expect_ok(cufftExecC2R(back, spectrum, data), what);
  expect_near(widened(with_rows(data.values(), 2 * sizes.half(), sizes.n2)), scaled, 1e-4 * sizes.total(),
              what);
  expect_ok(cufftDestroy(there), what);
  expect_ok(cufftDestroy(back), what);
}

void test_two_dimensions() {
  const Sizes sizes{1, 12, 67};
  const Array input = complex_numbers(sizes.total());
  cufftHandle plan;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  expect_ok(cufftPlan2d(&plan, sizes.n1, sizes.n2, CUFFT_Z2Z), "two dimensions");
  expect_ok(cufftSetStream(plan, stream), "two dimensions");
  const Device<cufftDoubleComplex> data(narrowed<cufftDoubleComplex, double>(input)), out(input.size());
  expect_ok(cufftExecZ2Z(plan, data, out, CUFFT_FORWARD), "two dimensions");
  cudaStreamSynchronize(stream);
  expect_near(parts_of(out.values()), parts_of(transformed(input, sizes, -1)), 1e-8, "two dimensions");
  expect_ok(cufftDestroy(plan), "two dimensions");
  cudaStreamDestroy(stream);
}

// Columns of a matrix, each a transform: neighbours lie a row apart.
void test_layout() {
  constexpr int kRows = 10, kColumns = 6;
  const Array input = complex_numbers(kRows * kColumns);
  Array expected = input;
  transform_axis(expected, kRows, kColumns, -1);
  int n[1] = {kRows};
  cufftHandle plan;
  expect_ok(cufftPlanMany(&plan, 1, n, n, kColumns, 1, n, kColumns, 1, CUFFT_Z2Z, kColumns), "columns");
  const Device<cufftDoubleComplex> data(narrowed<cufftDoubleComplex, double>(input));
  expect_ok(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD), "columns");
  expect_near(parts_of(data.values()), parts_of(expected), 1e-10, "columns");
  expect_ok(cufftDestroy(plan), "columns");

  // Real rows in a wider matrix, to spectra side by side.
  constexpr int kLength = 8, kWide = 11, kSpectrum = kLength / 2 + 1;
  Array rows = complex_numbers(kLength * 3);
  for (Complex& each : rows) each = each.real();
  const auto spectra = with_rows(transformed(rows, {1, 1, kLength}, -1), kLength, kSpectrum);
  const auto wide = real_parts(with_rows(rows, kLength, kWide));
  long long length[1] = {kLength}, in[1] = {kWide}, out[1] = {kSpectrum};
  size_t bytes = 0, asked = 0;
  expect_ok(cufftCreate(&plan), "wide rows");
  expect_ok(cufftSetAutoAllocation(plan, 0), "wide rows");
  expect_ok(cufftXtMakePlanMany(plan, 1, length, in, 1, kWide, CUDA_R_64F, out, 1, kSpectrum, CUDA_C_64F, 3,
                                &bytes, CUDA_C_64F),
            "wide rows");
  expect_ok(cufftGetSize(plan, &asked), "wide rows");
  expect(bytes == asked && bytes > 0, "size of the work area");
  const Device<double> values(wide);
  const Device<cufftDoubleComplex> made(spectra.size());
  expect(cufftExecD2Z(plan, values, made) == CUFFT_NO_WORKSPACE, "no work area");
  const Device<char> area(bytes);
  expect_ok(cufftSetWorkArea(plan, area.get()), "wide rows");
  expect_ok(cufftXtExec(plan, values.get(), made.get(), CUFFT_FORWARD), "wide rows");
  expect_near(parts_of(made.values()), parts_of(spectra), 1e-10, "wide rows");
  expect_ok(cufftDestroy(plan), "wide rows");
}

void test_errors() {
  cufftHandle plan;
  expect(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "no elements");
  expect(cufftPlan1d(&plan, 8, static_cast<cufftType>(1), 1) == CUFFT_INVALID_TYPE, "no type");
  expect_ok(cufftPlan1d(&plan, 8, CUFFT_C2C, 1), "errors");
  const Device<cufftComplex> data(complex_numbers(0).size() + 8);
  expect(cufftExecC2C(plan, nullptr, data, CUFFT_FORWARD) == CUFFT_INVALID_VALUE, "no input");
  expect(cufftExecC2C(plan, data, data, 0) == CUFFT_INVALID_VALUE, "no direction");
  expect_ok(cufftDestroy(plan), "errors");
  expect(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_INVALID_PLAN, "destroyed");
  expect(cufftDestroy(plan) == CUFFT_INVALID_PLAN, "destroyed twice");
  size_t bytes = 0;
  expect_ok(cufftEstimate1d(1024, CUFFT_C2C, 4, &bytes), "estimate");
  expect(bytes >= 4 * 1024 * sizeof(cufftComplex), "estimate");
}

int main() {
  for (const int n : {1, 2, 3, 4, 5, 8, 12, 30, 61, 64, 67, 77, 128, 134}) test_length(n, n < 40 ? 3 : 1);
  test_real({1, 1, 16});
  test_real({1, 6, 9});
  test_real({4, 3, 10});
  test_two_dimensions();
  test_layout();
  test_errors();
  return result();
}
