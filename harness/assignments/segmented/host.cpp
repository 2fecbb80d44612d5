#include "harness/assignments/segmented/host.h"

#include <algorithm>
#include <array>

#include "harness/assignments/shares.h"

namespace warpmark::segmented {
namespace {

// Adds values of type Value in type Sum: unsigned wraps around, double preserves what a float sum loses.
template <class Value, class Sum>
Sum sum_of(const Value* values, std::uint64_t begin, std::uint64_t end) {
  Sum sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) sum += static_cast<Sum>(values[i]);
  return sum;
}

// Splits the values evenly, so that a huge segment is shared by several threads. Segments within a share are
// summed directly; segments that cross a share's ends are combined afterwards. Buffers: values, offsets,
// sums. Scalars: n, segments.
template <bool kThreaded, class Value, class Sum>
void run_as(std::span<const std::span<std::byte>> buffers, std::span<const std::uint64_t> scalars) {
  const auto* values = reinterpret_cast<const Value*>(buffers[0].data());
  const auto* offsets = reinterpret_cast<const std::uint32_t*>(buffers[1].data());
  auto* sums = reinterpret_cast<Value*>(buffers[2].data());
  const std::uint64_t segments = scalars[1];
  struct Piece {
    std::uint64_t segment = 0;
    Sum sum = 0;
  };
  // partial segments at the two ends of each share
  std::vector<std::array<Piece, 2>> pieces(shares_of(kThreaded));
  in_shares(segments, kThreaded, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t /*share*/) {
    std::fill(sums + begin, sums + end, Value{});
  });
  in_shares(scalars[0], kThreaded, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t share) {
    if (begin == end) return;
    const auto* next = std::upper_bound(offsets, offsets + segments + 1, begin);
    auto segment = static_cast<std::uint64_t>(next - offsets) - 1;
    for (std::uint64_t i = begin; i < end; ++segment) {
      const std::uint64_t stop = std::min<std::uint64_t>(offsets[segment + 1], end);
      const Sum sum = sum_of<Value, Sum>(values, i, stop);
      const bool whole = offsets[segment] >= begin && offsets[segment + 1] <= end;
      if (whole) sums[segment] = static_cast<Value>(sum);
      if (!whole) pieces[share][i == begin ? 0 : 1] = {segment, sum};
      i = stop;
    }
  });
  std::uint64_t last = segments;
  Sum sum = 0;
  for (const auto& ends : pieces) {
    for (const Piece& piece : ends) {
      if (piece.sum == 0) continue;
      sum = (piece.segment == last ? sum : 0) + piece.sum;
      last = piece.segment;
      sums[last] = static_cast<Value>(sum);
    }
  }
}

template <bool kThreaded>
void run(std::string_view type, std::span<const std::span<std::byte>> buffers,
         std::span<const std::uint64_t> scalars) {
  if (type == "int") run_as<kThreaded, std::uint32_t, std::uint32_t>(buffers, scalars);
  if (type == "float") run_as<kThreaded, float, double>(buffers, scalars);
}

constexpr std::array kVersions{HostVersion{"cpu_one_thread", run<false>},
                               HostVersion{"cpu_threads", run<true>, true}};

}  // namespace

std::span<const HostVersion> segmented_on_the_cpu() {
  return kVersions;
}

}  // namespace warpmark::segmented
