// cuBLAS, cuRAND, CUB and thrust on the simulator.

#include "tests/cli/simulate_fixture.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Libraries : public Simulate {
 protected:
  // A program of this folder: what it computes is right, and no check has anything to say.
  void expect_right(const std::string& program) const {
    const Child child = run({std::string(WARPMARK_PROGRAMS) + "/" + program, "--schedules", "1"});
    EXPECT_EQ(child.status, 0) << child.output;
    EXPECT_THAT(child.output, HasSubstr("all right\n"));
    EXPECT_EQ(result()["findings"].size(), 0U) << result()["findings"];
    EXPECT_GT(result()["launches"].size(), 10U);
  }
};

TEST_F(Libraries, cublas_computes_what_plain_loops_compute) {
  expect_right("cublas.cu");
}

TEST_F(Libraries, curand_gives_the_numbers_of_a_gpu) {
  expect_right("curand.cu");
}

TEST_F(Libraries, device_algorithms_of_cub_compute_what_plain_loops_compute) {
  expect_right("cub_device.cu");
}

TEST_F(Libraries, block_and_warp_algorithms_of_cub_compute_what_plain_loops_compute) {
  expect_right("cub_block.cu");
}

}  // namespace
}  // namespace warpmark
