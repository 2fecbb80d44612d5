// CUB and thrust on the simulator.
#include "tests/libraries/libraries_fixture.h"

namespace warpmark {
namespace {

TEST_F(LibrariesLong, device_algorithms_of_cub_compute_what_plain_loops_compute) {
  expect_right("cub_device.cu");
}

TEST_F(Libraries, cub_knows_kinds_of_keys_as_its_older_versions_tell_them) {
  EXPECT_EQ(simulate(R"(#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Own {};
static_assert(cub::Traits<const float>::CATEGORY == cub::FLOATING_POINT, "");
static_assert(cub::Traits<short>::CATEGORY == cub::SIGNED_INTEGER, "");
static_assert(cub::Traits<bool>::CATEGORY == cub::UNSIGNED_INTEGER, "");
static_assert(cub::Traits<Own>::CATEGORY == cub::NOT_A_NUMBER, "");
static_assert(cub::Traits<int>::PRIMITIVE && !cub::Traits<Own>::PRIMITIVE, "");
static_assert(cub::Traits<cub::NullType>::NULL_TYPE && !cub::Traits<int>::NULL_TYPE, "");
int main() {
  const bool right = cub::Traits<int>::Max() == 2147483647 && cub::Traits<signed char>::Lowest() == -128 &&
                     cub::NumericTraits<float>::Lowest() == -3.402823466e38f &&
                     (float)cub::NumericTraits<__half>::Max() == 65504 &&
                     (float)cub::NumericTraits<__nv_bfloat16>::Lowest() < -3e38f;
  return right ? 0 : 1;
}
)")
                .status,
            0);
}

TEST_F(LibrariesLong, block_and_warp_algorithms_of_cub_compute_what_plain_loops_compute) {
  expect_right("cub_block.cu");
}

TEST_F(Libraries, vectors_of_thrust_lie_in_device_memory) {
  expect_right("thrust_vectors.cu");
}

TEST_F(LibrariesLong, algorithms_of_thrust_take_functions_for_the_device_alone) {
  expect_right("thrust_transforms.cu");
}

TEST_F(LibrariesLong, scans_and_sorts_of_thrust_compute_what_plain_loops_compute) {
  expect_right("thrust_sorts.cu");
}

TEST_F(Libraries, thrusts_copies_and_vectors_are_on_record) {
  const Child child = simulate(R"(#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
__global__ void set(int* values) { values[threadIdx.x] = 1; }
int main() {
  thrust::host_vector<int> host(64, 5);
  thrust::device_vector<int> device = host;
  set<<<1, 65>>>(thrust::raw_pointer_cast(device.data()));
  host = device;
}
)");
  EXPECT_EQ(finding("out_of_bounds")["line"], 3) << child.output;
  const auto transfers = result()["transfers"];
  ASSERT_EQ(transfers.size(), 1U) << transfers;
  EXPECT_EQ(transfers[0]["direction"], "host_to_device");
  EXPECT_EQ(transfers[0]["bytes"], 256);
}

TEST_F(Libraries, a_host_that_reads_a_vectors_device_memory_is_told) {
  simulate(R"(#include <thrust/device_vector.h>
#include <cstdio>
int main() {
  thrust::device_vector<int> device(64, 5);
  std::printf("%d\n", thrust::raw_pointer_cast(device.data())[3]);
}
)");
  EXPECT_EQ(finding("device_pointer")["line"], 5) << result();
}

}  // namespace
}  // namespace warpmark
