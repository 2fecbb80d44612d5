// The reference without the harness: one program that calls every version and compares with a sum on the CPU.
//
// It is what a tool for whole programs can look at (compute-sanitizer, Nsight), and, because all versions
// meet in one file, the shortest way to have a compiler look at all of them. With the template's folder in
// front of the reference's it holds the stubs.
//
//     FLAGS="-std=c++17 -lineinfo -arch=native -Iharness/assignments/reduction -Ireference/reduction"
//     nvcc $FLAGS -o standalone tests/reference/standalone.cu
//     ./standalone                 sums of small inputs; exit status 1 if one is wrong
//     compute-sanitizer --tool racecheck ./standalone
//     ./standalone --time 28       milliseconds for 2^28 values, by version
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// What the versions include, included here first: each of them is put into a namespace of its own, because
// they use the same names for their kernels' constants.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#if __has_include("v20_cub.cu")
#include <cub/device/device_reduce.cuh>
#endif

#include "atomic_add.h"
#include "reduction.h"

namespace upload_file {
#include "upload.cu"
}
namespace v01_file {
#include "v01_atomic_per_element.cu"
}
namespace v02_file {
#include "v02_atomic_per_thread.cu"
}
namespace v03_file {
#include "v03_atomic_coalesced.cu"
}
namespace v04_file {
#include "v04_atomic_per_block.cu"
}
namespace v05_file {
#include "v05_tree_modulo.cu"
}
namespace v06_file {
#include "v06_tree_strided.cu"
}
namespace v07_file {
#include "v07_tree_sequential.cu"
}
namespace v08_file {
#include "v08_tree_first_add.cu"
}
namespace v09_file {
#include "v09_tree_unrolled_warp.cu"
}
namespace v10_file {
#include "v10_tree_unrolled.cu"
}
namespace v11_file {
#include "v11_tree_grid_stride.cu"
}
namespace v12_file {
#include "v12_shared_one_pass.cu"
}
namespace v13_file {
#include "v13_shared_grid_stride.cu"
}
namespace v14_file {
#include "v14_pairs_in_shared.cu"
}
namespace v15_file {
#include "v15_recursive_by_32.cu"
}
namespace v16_file {
#include "v16_warp_shuffle.cu"
}
namespace v17_file {
#include "v17_vector_loads.cu"
}
namespace v18_file {
#include "v18_single_pass.cu"
}
namespace v19_file {
#include "v19_thrust.cu"
}
#if __has_include("v20_cub.cu")
namespace v20_file {
#include "v20_cub.cu"
}
namespace v21_file {
#include "v21_peak.cu"
}
#endif

namespace {

struct Version {
  const char* name;
  reduce_fn* call;
};
const Version kVersions[] = {
    {"v01_atomic_per_element", v01_atomic_per_element},
    {"v02_atomic_per_thread", v02_atomic_per_thread},
    {"v03_atomic_coalesced", v03_atomic_coalesced},
    {"v04_atomic_per_block", v04_atomic_per_block},
    {"v05_tree_modulo", v05_tree_modulo},
    {"v06_tree_strided", v06_tree_strided},
    {"v07_tree_sequential", v07_tree_sequential},
    {"v08_tree_first_add", v08_tree_first_add},
    {"v09_tree_unrolled_warp", v09_tree_unrolled_warp},
    {"v10_tree_unrolled", v10_tree_unrolled},
    {"v11_tree_grid_stride", v11_tree_grid_stride},
    {"v12_shared_one_pass", v12_shared_one_pass},
    {"v13_shared_grid_stride", v13_shared_grid_stride},
    {"v14_pairs_in_shared", v14_pairs_in_shared},
    {"v15_recursive_by_32", v15_recursive_by_32},
    {"v16_warp_shuffle", v16_warp_shuffle},
    {"v17_vector_loads", v17_vector_loads},
    {"v18_single_pass", v18_single_pass},
    {"v19_thrust", v19_thrust},
#if __has_include("v20_cub.cu")
    {"v20_cub", v20_cub},
    {"v21_peak", v21_peak},
#endif
};

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

// What a version is called with: n values on the device, made by upload, the first `shift` of them left out.
struct Input {
  explicit Input(std::size_t count, std::size_t first = 0) : n(count), shift(first), host(count + first) {
    std::uint32_t state = 2463534242U;  // Marsaglia's xorshift: small values, so that floats stay exact
    for (value_t& value : host) {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      value = static_cast<value_t>(static_cast<int>(state % 7) - 3);
    }
    for (std::size_t i = shift; i < host.size(); ++i) expected += host[i];
    device = upload(host.data(), host.size());
    work.count = n / 16 + 16384;
    check(cudaMalloc(&work.data, work.count * sizeof(value_t)), "cudaMalloc");
    check(cudaMalloc(&sum, sizeof(value_t)), "cudaMalloc");
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
  }
  ~Input() {
    cudaFree(device), cudaFree(work.data), cudaFree(sum);
    cudaStreamDestroy(stream);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  value_t call(const Version& version) {
    value_t result = 0;
    check(cudaMemsetAsync(sum, 0x5a, sizeof(value_t), stream), "cudaMemset");
    version.call(device + shift, n, sum, work, stream);
    check(cudaGetLastError(), version.name);
    check(cudaStreamSynchronize(stream), version.name);
    check(cudaMemcpy(&result, sum, sizeof(value_t), cudaMemcpyDeviceToHost), version.name);
    return result;
  }

  std::size_t n;
  std::size_t shift;
  std::vector<value_t> host;
  value_t expected = 0;
  value_t* device = nullptr;
  Workspace work{};
  value_t* sum = nullptr;
  cudaStream_t stream{};
};

int check_sums() {
  int wrong = 0;
  for (const std::size_t n : {std::size_t{1000}, std::size_t{4099}, std::size_t{300'007}}) {
    Input input(n, 1);
    for (const Version& version : kVersions) {
      const value_t sum = input.call(version);
      if (sum == input.expected) continue;
      ++wrong;
      std::printf("%s, n = %zu: expected %g, got %g\n", version.name, n, static_cast<double>(input.expected),
                  static_cast<double>(sum));
    }
  }
  std::printf("%zu versions, %d wrong sums\n", std::size(kVersions), wrong);
  return wrong == 0 ? 0 : 1;
}

// The median of 21 calls, back to back; a look, not a judgement.
float milliseconds(Input& input, const Version& version) {
  cudaEvent_t start{};
  cudaEvent_t stop{};
  cudaEventCreate(&start), cudaEventCreate(&stop);
  std::vector<float> times(21);
  input.call(version);
  for (float& time : times) {
    cudaEventRecord(start, input.stream);
    version.call(input.device, input.n, input.sum, input.work, input.stream);
    cudaEventRecord(stop, input.stream);
    check(cudaEventSynchronize(stop), version.name);
    cudaEventElapsedTime(&time, start, stop);
  }
  cudaEventDestroy(start), cudaEventDestroy(stop);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int time_versions(unsigned log2_n) {
  Input input(std::size_t{1} << log2_n);
  float naive = 0;
  std::printf("2^%u values\n%-24s %10s %9s %8s\n", log2_n, "version", "ms", "x naive", "GB/s");
  for (const Version& version : kVersions) {
    const float time = milliseconds(input, version);
    if (naive == 0) naive = time;
    std::printf("%-24s %10.4f %9.2f %8.0f\n", version.name, time, naive / time,
                static_cast<double>(input.n * sizeof(value_t)) / time * 1e-6);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--time") == 0) {
    return time_versions(static_cast<unsigned>(std::atoi(argv[2])));
  }
  return check_sums();
}
