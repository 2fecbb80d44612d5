// cuBLAS, cuRAND, cuFFT, cuSPARSE, cuSOLVER and NVML on the simulator.
#include "tests/libraries/libraries_fixture.h"

namespace warpmark {
namespace {

TEST_F(Libraries, cublas_computes_what_plain_loops_compute) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cublas.cu");
}

TEST_F(LibrariesLong, cublas_takes_packed_and_banded_matrices_and_factors_many) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cublas_stored.cu");
}

TEST_F(LibrariesLong, cublas_takes_hermitian_matrices_and_updates) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cublas_hermitian.cu");
}

TEST_F(LibrariesLong, cublas_takes_batches_and_groups) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cublas_batches.cu");
}

TEST_F(LibrariesLong, cublas_lt_multiplies_types_orders_and_batches) {
  expect_right("cublas_lt.cu");
}

TEST_F(LibrariesLong, cublas_lt_has_epilogues_and_transforms) {
  expect_right("cublas_lt_epilogues.cu");
}

TEST_F(LibrariesLong, cublas_takes_types_by_enumerators) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cublas_by_type.cu");
}

TEST_F(Libraries, cublas_xt_multiplies_matrices_of_the_host) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cublas_xt.cu");
}

TEST_F(Libraries, opengl_shares_no_memory) {
  const Child child = simulate(R"(#include <cstdio>
#include <cuda_gl_interop.h>
int main() {
  cudaGraphicsResource_t resource = nullptr;
  const cudaError_t error = cudaGraphicsGLRegisterBuffer(&resource, 1, 0);
  printf("%s, then %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
  printf("%d\n", cudaGraphicsMapResources(1, &resource));
  printf("%d\n", cudaGLSetGLDevice(0));
}
)");
  EXPECT_THAT(child.output,
              testing::AllOf(HasSubstr("cudaErrorNotSupported, then cudaErrorNotSupported\n801\n0\n"),
                             HasSubstr("shares no memory with OpenGL")));
}

TEST_F(Libraries, curand_gives_the_numbers_of_a_gpu) {
  expect_right("curand.cu");
}

TEST_F(Libraries, cufft_computes_the_sum_that_defines_it) {
  if (!WARPMARK_HAS_FFTW) GTEST_SKIP() << "not run: built without FFTW";
  expect_right("cufft.cu", 1);
}

TEST_F(LibrariesLong, cufft_calls_functions_for_each_element) {
  if (!WARPMARK_HAS_FFTW) GTEST_SKIP() << "not run: built without FFTW";
  expect_right("cufft_callbacks.cu", 3);
}

TEST_F(LibrariesLong, cufft_transforms_what_lies_on_several_gpus) {
  if (!WARPMARK_HAS_FFTW) GTEST_SKIP() << "not run: built without FFTW";
  expect_right("cufft_several_gpus.cu", 3, {"--devices", "3"});
}

// A transform on GPUs 0 and 1; MORE stands behind it.
constexpr const char* kOnTwoGpus = R"(#include <cufftXt.h>
#include <vector>
__global__ void clear(cufftComplex* part) { part[threadIdx.x] = {0, 0}; }
int main() {
  int gpus[] = {0, 1};
  size_t bytes[2];
  cufftHandle plan;
  if (cufftCreate(&plan) != CUFFT_SUCCESS) return 2;
  const cufftResult chosen = cufftXtSetGPUs(plan, 2, gpus);
  if (chosen != CUFFT_SUCCESS) return 10 + chosen;
  cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, bytes);
  cudaLibXtDesc* array;
  cufftXtMalloc(plan, &array, CUFFT_XT_FORMAT_INPLACE);
  std::vector<cufftComplex> values(64);
  cudaStream_t stream;
  cudaSetDevice(1);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cufftXtMemcpy(plan, array, values.data(), CUFFT_COPY_HOST_TO_DEVICE);
  clear<<<1, THREADS, 0, stream>>>((cufftComplex*)array->descriptor->data[1]);
  WAIT;
  cufftXtExecDescriptorC2C(plan, array, array, CUFFT_FORWARD);
  cufftXtMemcpy(plan, values.data(), array, CUFFT_COPY_DEVICE_TO_HOST);
  cudaStreamDestroy(stream);
  cufftXtFree(array);
  cufftDestroy(plan);
  return cudaDeviceSynchronize();
}
)";

TEST_F(Libraries, cufft_on_two_gpus_says_that_there_is_one) {
  if (!WARPMARK_HAS_FFTW) GTEST_SKIP() << "not run: built without FFTW";
  EXPECT_EQ(simulate(kOnTwoGpus, {"-D", "THREADS=32", "-D", "WAIT=cudaDeviceSynchronize()"}).status, 21);
}

TEST_F(Libraries, parts_of_an_array_on_two_gpus_are_held_against_streams_and_ends) {
  if (!WARPMARK_HAS_FFTW) GTEST_SKIP() << "not run: built without FFTW";
  const std::vector<std::string> kTwo{"--devices", "2", "-D", "THREADS=32", "-D"};
  auto waits = kTwo;
  waits.push_back("WAIT=cudaDeviceSynchronize()");
  EXPECT_EQ(simulate(kOnTwoGpus, waits).status, 0);
  EXPECT_EQ(result()["findings"].size(), 0U) << result()["findings"];
  auto does_not = kTwo;
  does_not.push_back("WAIT=");
  EXPECT_NE(simulate(kOnTwoGpus, does_not).status, 0);
  EXPECT_EQ(finding("race")["line"], 21) << result()["findings"];
  simulate(kOnTwoGpus, {"--devices", "2", "-D", "THREADS=64", "-D", "WAIT="});
  EXPECT_EQ(finding("out_of_bounds")["line"], 3) << result()["findings"];
}

TEST_F(Libraries, cusparse_computes_what_dense_loops_compute) {
  expect_right("cusparse.cu");
}

TEST_F(LibrariesLong, cusparse_orders_elements_and_makes_incomplete_factors) {
  expect_right("cusparse_by_type.cu");
}

TEST_F(Libraries, cusolver_factors_and_solves_dense_systems) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cusolver.cu");
}

TEST_F(LibrariesLong, cusolver_finds_eigenvalues_of_pairs_and_ranges) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cusolver_pairs.cu");
}

TEST_F(LibrariesLong, cusolver_finds_singular_values_of_many_and_eigenvalues_of_any) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  expect_right("cusolver_general.cu");
}

TEST_F(LibrariesLong, cusolver_solves_many_sparse_systems_of_one_pattern) {
  expect_right("cusolver_sparse_batch.cu", 3);
}

TEST_F(LibrariesLong, cusolver_solves_sparse_systems) {
  expect_right("cusolver_sparse.cu");
}

TEST_F(Libraries, nvml_tells_what_the_runtime_tells_of_a_device) {
  expect_right("nvml.cu", 0);
}

TEST_F(Libraries, a_sensor_that_is_not_there_is_an_error_that_a_program_in_c_goes_on_after) {
  write("a.c", R"(#include <nvml.h>
#include <stdio.h>
int main(void) {
  nvmlDevice_t device;
  unsigned int celsius = 0;
  if (nvmlInit() != NVML_SUCCESS || nvmlDeviceGetHandleByIndex(0, &device) != NVML_SUCCESS) return 2;
  nvmlReturn_t error = nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &celsius);
  printf("temperature: %s\n", nvmlErrorString(error));
  return nvmlShutdown();
}
)");
  const Child child = run({"a.c", "--schedules", "0"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("temperature: Not Supported\n"));
}

TEST_F(Libraries, a_file_of_c_that_uses_one_is_taken_as_cuda) {
  if (!WARPMARK_HAS_FFTW) GTEST_SKIP() << "not run: built without FFTW";
  write("a.c", R"(#include <cufft.h>
#include <stdio.h>
int main(void) {
  cufftHandle plan;
  if (cufftPlan1d(&plan, 8, CUFFT_C2C, 1) != CUFFT_SUCCESS) return 2;
  cufftComplex* data;
  cudaMalloc((void**)&data, 8 * sizeof(cufftComplex));
  cudaMemset(data, 0, 8 * sizeof(cufftComplex));
  cufftResult done = cufftExecC2C(plan, data, data, CUFFT_FORWARD);
  printf("done %d\n", done);
  cufftDestroy(plan);
  cudaFree(data);
  return 0;
}
)");
  const Child child = run({"a.c", "--schedules", "0"});
  EXPECT_EQ(child.status, 0) << child.output;
  EXPECT_THAT(child.output, HasSubstr("done 0\n"));
}

TEST_F(Libraries, a_leading_dimension_that_is_too_small_is_told_to_who_does_not_ask) {
  const Child child = simulate(R"(#include <cublas_v2.h>
int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 2;
  float* a;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMemset(a, 0, 64 * sizeof(float));
  const float one = 1;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 8, 8, 8, &one, a, 4, a, 8, &one, a, 8);
  cublasDestroy(handle);
  cudaFree(a);
}
)");
  EXPECT_THAT(child.output, HasSubstr("lda is 4, and A has 8 rows in memory"));
  EXPECT_THAT(child.output, HasSubstr("pass 8 at least"));
}

TEST_F(Libraries, what_cublas_reads_past_an_array_is_told_where_it_was_called) {
  if (!WARPMARK_HAS_LAPACK) GTEST_SKIP() << "not run: built without OpenBLAS and LAPACKE";
  simulate(R"(#include <cublas_v2.h>
int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 2;
  float* x;
  cudaMalloc(&x, 100 * sizeof(float));
  cudaMemset(x, 0, 100 * sizeof(float));
  const float two = 2;
  cublasSscal(handle, 101, &two, x, 1);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(x);
  cublasDestroy(handle);
  return error;
}
)");
  const auto told = finding("out_of_bounds");
  ASSERT_TRUE(told.is_object()) << result();
  EXPECT_EQ(told["file"], "a.cu");
  EXPECT_EQ(told["line"], 9);
  EXPECT_EQ(told["kernel"], "scal (cuBLAS)");
}

TEST_F(Libraries, a_graphs_condition_that_is_left_is_told_as_memory_of_a_library) {
  simulate(R"(int main() {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&handle, graph, 1, 0);
}
)");
  EXPECT_THAT(finding("leak")["message"].get<std::string>(), HasSubstr("destroy what was made there"));
}

}  // namespace
}  // namespace warpmark
