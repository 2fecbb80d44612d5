// Measures a GPU's rates, from which the check `fast` derives required speedups on a GPU model that was not
// calibrated. The worker process loads this library alone, never beside student code.
#include <cuda_runtime.h>

#include "adapter.h"
#include "harness/base/probe_work.h"

namespace {

using namespace warpmark::probe;

// Reads the buffer once, with four 16-byte loads in flight per thread. The comparison keeps the loads and is
// never true: the buffer is filled with zeros.
__global__ void read_all(const uint4* words, std::size_t count, unsigned* sink) {
  unsigned bits = ~0u;
  const std::size_t width = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * width < count; i += 4 * width) {
    const uint4 a = words[i];
    const uint4 b = words[i + width];
    const uint4 c = words[i + 2 * width];
    const uint4 d = words[i + 3 * width];
    bits &=
        (a.x & a.y & a.z & a.w) | (b.x & b.y & b.z & b.w) | (c.x & c.y & c.z & c.w) | (d.x & d.y & d.z & d.w);
  }
  for (; i < count; i += width) bits &= words[i].x & words[i].y & words[i].z & words[i].w;
  if (bits == ~0u) *sink = bits;
}

// Half of the instructions are FP32, half INT32: multiprocessors since sm_70 have a pipe for each, so
// together they keep all four schedulers busy. Eight chains per thread hide the latency. Assembly, so that
// the compiler neither merges nor removes an instruction.
__global__ void execute(float* sink) {
  float f[4];
  int n[4];
  for (int k = 0; k < 4; ++k) {
    f[k] = static_cast<float>(threadIdx.x + k);
    n[k] = static_cast<int>(threadIdx.x) + k;
  }
#pragma unroll 1
  for (std::uint64_t turn = 0; turn < kTurns; ++turn) {
#pragma unroll
    for (std::uint64_t k = 0; k < kInstructions / 8; ++k) {
#pragma unroll
      for (int chain = 0; chain < 4; ++chain) {
        asm volatile("fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;" : "+f"(f[chain]));
        asm volatile("add.s32 %0, %0, 1;" : "+r"(n[chain]));
      }
    }
  }
  // Never true; keeps the values.
  if (f[0] + f[1] + f[2] + f[3] == -1.0f && n[0] + n[1] + n[2] + n[3] == -1) *sink = f[0];
}

__global__ void add_to_one_address(unsigned* sum) {
  if (threadIdx.x % 32 != 0) return;
  for (std::uint64_t k = 0; k < kAtomics; ++k) atomicAdd(sum, 1u);
}

__global__ void nothing() {}

}  // namespace

// Each function gets one buffer and the number of blocks to launch.
using Function = void (*)(const WarpmarkView& buffer, unsigned blocks, cudaStream_t stream);

extern "C" void probe_read(const WarpmarkView& buffer, unsigned blocks, cudaStream_t stream) {
  read_all<<<blocks, kThreads, 0, stream>>>(static_cast<const uint4*>(buffer.data),
                                            buffer.bytes / sizeof(uint4),
                                            static_cast<unsigned*>(buffer.data));
}

extern "C" void probe_instructions(const WarpmarkView& buffer, unsigned blocks, cudaStream_t stream) {
  execute<<<blocks, kThreads, 0, stream>>>(static_cast<float*>(buffer.data));
}

// Adds to the buffer's last word, so that read_all() still finds none with all bits set.
extern "C" void probe_atomics(const WarpmarkView& buffer, unsigned blocks, cudaStream_t stream) {
  add_to_one_address<<<blocks, kThreads, 0, stream>>>(static_cast<unsigned*>(buffer.data) +
                                                      buffer.bytes / sizeof(unsigned) - 1);
}

extern "C" void probe_launches(const WarpmarkView& /*buffer*/, unsigned /*blocks*/, cudaStream_t stream) {
  for (std::uint64_t k = 0; k < kLaunches; ++k) nothing<<<1, 32, 0, stream>>>();
}

void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars, void* stream) {
  reinterpret_cast<Function>(function)(buffers[0], static_cast<unsigned>(scalars[0]),
                                       static_cast<cudaStream_t>(stream));
}
