#include "harness/assignments/pi/host.h"

#include <array>
#include <numeric>
#include <vector>

#include "harness/assignments/bytes.h"
#include "harness/assignments/shares.h"

namespace warpmark::pi {
namespace {

// Independent partial sums: a single one would wait four cycles for each addition.
constexpr std::uint64_t kLanes = 8;

// Returns the sum of the heights of rectangles begin to end - 1.
double heights(double from, double width, std::uint64_t begin, std::uint64_t end) {
  const auto height = [=](std::uint64_t i) {
    const double x = from + (static_cast<double>(i) + 0.5) * width;
    return 4 / (1 + x * x);
  };
  std::array<double, kLanes> sums{};
  std::uint64_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (std::uint64_t k = 0; k < kLanes; ++k) sums[k] += height(i + k);
  }
  for (; i < end; ++i) sums[0] += height(i);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Buffers: limits, area, work. Scalars: n.
template <bool kThreaded>
void run(std::string_view /*type*/, std::span<const std::span<std::byte>> buffers,
         std::span<const std::uint64_t> scalars) {
  const std::uint64_t n = scalars[0];
  const auto from = load_value<double>(buffers[0], 0);
  const double width = n == 0 ? 0 : (load_value<double>(buffers[0], 1) - from) / static_cast<double>(n);
  std::vector<double> sums(shares_of(kThreaded));
  in_shares(n, kThreaded, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t share) {
    sums[share] = heights(from, width, begin, end);
  });
  store_value(buffers[1], 0, width * std::accumulate(sums.begin(), sums.end(), 0.0));
}

constexpr std::array kVersions{HostVersion{"cpu_one_thread", run<false>},
                               HostVersion{"cpu_threads", run<true>, true}};

}  // namespace

std::span<const HostVersion> pi_on_the_cpu() {
  return kVersions;
}

}  // namespace warpmark::pi
