#include "harness/assignments/grids/host.h"

#include <array>
#include <type_traits>

#include "harness/assignments/shares.h"

namespace warpmark::grids {
namespace {

// Signed ints must wrap around; computed as unsigned, which gives the same bits without undefined behaviour.
template <class T>
using Computed = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;

// Buffers: a, x, y, b. Scalars: rows, columns, pitch of a, pitch of b. A single row is split by columns.
template <bool kThreaded, class T>
void run_as(std::span<const std::span<std::byte>> buffers, std::span<const std::uint64_t> scalars) {
  const auto* a = reinterpret_cast<const T*>(buffers[0].data());
  const auto* x = reinterpret_cast<const T*>(buffers[1].data());
  const auto* y = reinterpret_cast<const T*>(buffers[2].data());
  auto* b = reinterpret_cast<T*>(buffers[3].data());
  const std::uint64_t rows = scalars[0];
  const std::uint64_t columns = scalars[1];
  const auto part = [=](std::uint64_t row, std::uint64_t begin, std::uint64_t end) {
    const T* from = a + row * scalars[2];
    T* to = b + row * scalars[3];
    for (std::uint64_t column = begin; column < end; ++column) to[column] = from[column] + x[row] * y[column];
  };
  if (rows == 1) {
    in_shares(columns, kThreaded,
              [&](std::uint64_t begin, std::uint64_t end, std::uint64_t /*share*/) { part(0, begin, end); });
    return;
  }
  in_shares(rows, kThreaded, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t /*share*/) {
    for (std::uint64_t row = begin; row < end; ++row) part(row, 0, columns);
  });
}

template <bool kThreaded>
void run(std::string_view type, std::span<const std::span<std::byte>> buffers,
         std::span<const std::uint64_t> scalars) {
  if (type == "int") run_as<kThreaded, Computed<int>>(buffers, scalars);
  if (type == "float") run_as<kThreaded, Computed<float>>(buffers, scalars);
}

constexpr std::array kVersions{HostVersion{"cpu_one_thread", run<false>},
                               HostVersion{"cpu_threads", run<true>, true}};

}  // namespace

std::span<const HostVersion> grids_on_the_cpu() {
  return kVersions;
}

}  // namespace warpmark::grids
