#include "harness/assignments/matmul/host.h"

#include <algorithm>
#include <array>

#include "harness/assignments/shares.h"

namespace warpmark::matmul {
namespace {

// Columns of B and C per block: a block's rows of B that are in use stay in the L2 cache.
constexpr std::uint64_t kColumns = 512;

// Loops over rows of C, within them over rows of B: all accesses are contiguous, so the compiler vectorises.
// Buffers: a, b, c. Scalars: rows, inner, columns.
template <bool kThreaded>
void run(std::string_view /*type*/, std::span<const std::span<std::byte>> buffers,
         std::span<const std::uint64_t> scalars) {
  const auto* a = reinterpret_cast<const float*>(buffers[0].data());
  const auto* b = reinterpret_cast<const float*>(buffers[1].data());
  auto* c = reinterpret_cast<float*>(buffers[2].data());
  const std::uint64_t inner = scalars[1];
  const std::uint64_t columns = scalars[2];
  in_shares(scalars[0], kThreaded, [=](std::uint64_t begin, std::uint64_t end, std::uint64_t /*share*/) {
    for (std::uint64_t left = 0; left < columns; left += kColumns) {
      const std::uint64_t right = std::min(left + kColumns, columns);
      for (std::uint64_t row = begin; row < end; ++row) {
        float* sums = c + row * columns;
        std::fill(sums + left, sums + right, 0.0F);
        for (std::uint64_t k = 0; k < inner; ++k) {
          const float factor = a[row * inner + k];
          const float* from = b + k * columns;
          for (std::uint64_t column = left; column < right; ++column) sums[column] += factor * from[column];
        }
      }
    }
  });
}

constexpr std::array kVersions{HostVersion{"cpu_one_thread", run<false>},
                               HostVersion{"cpu_threads", run<true>, true}};

}  // namespace

std::span<const HostVersion> matmul_on_the_cpu() {
  return kVersions;
}

}  // namespace warpmark::matmul
