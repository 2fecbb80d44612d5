#include "harness/assignments/extremes/host.h"

#include <array>
#include <limits>

#include "harness/assignments/bytes.h"
#include "harness/assignments/shares.h"

namespace warpmark::extremes {
namespace {

// Same layout as the contract's Extremes.
template <class T>
struct Extent {
  T least;
  T greatest;
  std::uint64_t least_at;
  std::uint64_t greatest_at;
};

template <class T>
Extent<T> nothing(std::uint64_t n) {
  using Limits = std::numeric_limits<T>;
  if constexpr (Limits::has_infinity) return {Limits::infinity(), -Limits::infinity(), n, n};
  return {Limits::max(), Limits::min(), n, n};
}

// Processes values in order, so that the first of equal values wins. A NaN compares neither less nor greater.
template <class T>
Extent<T> extremes_of(std::span<const std::byte> values, std::uint64_t begin, std::uint64_t end,
                      std::uint64_t n) {
  Extent<T> found = nothing<T>(n);
  for (std::uint64_t i = begin; i < end; ++i) {
    const T value = load_value<T>(values, i);
    // The initial value (infinity or the largest int) counts as found only if no value was found before.
    if (value < found.least || (found.least_at == n && value == found.least)) {
      found.least = value;
      found.least_at = i;
    }
    if (value > found.greatest || (found.greatest_at == n && value == found.greatest)) {
      found.greatest = value;
      found.greatest_at = i;
    }
  }
  return found;
}

// Buffers: values, extremes. Scalars: n.
template <bool kThreaded, class T>
void run_as(std::span<const std::span<std::byte>> buffers, std::uint64_t n) {
  std::vector<Extent<T>> found(shares_of(kThreaded), nothing<T>(n));
  in_shares(n, kThreaded, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t share) {
    found[share] = extremes_of<T>(buffers[0], begin, end, n);
  });
  Extent<T> all = nothing<T>(n);
  for (const Extent<T>& one : found) {
    if (one.least_at != n && (one.least < all.least || all.least_at == n)) {
      all.least = one.least;
      all.least_at = one.least_at;
    }
    if (one.greatest_at != n && (one.greatest > all.greatest || all.greatest_at == n)) {
      all.greatest = one.greatest;
      all.greatest_at = one.greatest_at;
    }
  }
  store_value(buffers[1], 0, all);
}

template <bool kThreaded>
void run(std::string_view type, std::span<const std::span<std::byte>> buffers,
         std::span<const std::uint64_t> scalars) {
  if (type == "int") run_as<kThreaded, std::int32_t>(buffers, scalars[0]);
  if (type == "float") run_as<kThreaded, float>(buffers, scalars[0]);
}

constexpr std::array kVersions{HostVersion{"cpu_one_thread", run<false>},
                               HostVersion{"cpu_threads", run<true>, true}};

}  // namespace

std::span<const HostVersion> extremes_on_the_cpu() {
  return kVersions;
}

}  // namespace warpmark::extremes
