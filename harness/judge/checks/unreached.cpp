#include "harness/judge/checks/unreached.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace warpmark::judge {
namespace {

// Most blocks of a grid along x, y and z: CUDA C++ programming guide, technical specifications.
constexpr std::array<std::uint64_t, 3> kMostBlocks{2147483647, 65535, 65535};
constexpr std::array<std::string_view, 3> kDimensions{"x", "y", "z"};

// Returns the indices in the name with which a message begins: 524280 and 0 of "b(524280, 0)".
std::vector<std::uint64_t> indices_in(std::string_view message) {
  const std::string_view name = message.substr(0, message.find(' '));
  const std::size_t open = name.find_first_of("[(");
  if (open == 0 || open == std::string_view::npos) return {};
  const std::size_t close = message.find_first_of("])", open);
  if (close == std::string_view::npos) return {};
  std::vector<std::uint64_t> indices;
  for (const char* at = message.data() + open + 1; at < message.data() + close; ++at) {
    if (std::isdigit(static_cast<unsigned char>(*at)) == 0) continue;
    std::uint64_t index = 0;
    at = std::from_chars(at, message.data() + close, index).ptr;
    indices.push_back(index);
  }
  return indices;
}

std::uint64_t along(const std::vector<std::uint64_t>& shape, std::size_t dimension) {
  return dimension < shape.size() ? shape[dimension] : 1;
}

// Returns why an index is the first one that the threads along one dimension do not reach.
Unreached behind_the_last(std::uint64_t index, const LaunchShape& launch) {
  for (std::size_t d = 0; d < kDimensions.size(); ++d) {
    const std::uint64_t blocks = along(launch.grid, d);
    const std::uint64_t threads = along(launch.block, d);
    if (blocks * threads != index || index <= 1) continue;
    const std::string all =
        fmt::format("{} block{} of {} thread{} along {} make {}", blocks, blocks == 1 ? "" : "s", threads,
                    threads == 1 ? "" : "s", kDimensions[d], index);
    if (blocks == kMostBlocks[d])
      return {fmt::format("{}, and a grid cannot have more blocks along {}: index {} is the first that no "
                          "thread reaches",
                          all, kDimensions[d], index),
              fmt::format("let each thread take further ones, in a loop that steps by gridDim.{0} * "
                          "blockDim.{0}",
                          kDimensions[d]),
              launch.kernel, kDimensions[d]};
    return {fmt::format("{}: index {} is the first that no thread reaches", all, index),
            "launch more blocks, or let each thread take further ones in a loop"};
  }
  return {};
}

// Returns why an index is the first one that equal shares of all threads, rounded down, leave over.
Unreached left_over(std::uint64_t index, std::uint64_t n, const LaunchShape& launch) {
  std::uint64_t threads = 1;
  for (std::size_t d = 0; d < kDimensions.size(); ++d)
    threads *= along(launch.grid, d) * along(launch.block, d);
  const std::uint64_t share = n / threads;
  const std::uint64_t rest = n % threads;
  if (threads == 1 || rest == 0 || index != share * threads) return {};
  constexpr const char* kAdvice = "round up and test the index, or step through all by the number of threads";
  // Where nothing is written, there are other reasons, too.
  if (share == 0)
    return {fmt::format("there are {} threads for {} elements: a share of {} / {}, rounded down, is 0",
                        threads, n, n, threads),
            kAdvice};
  return {fmt::format("{} / {} threads, rounded down, is {}: {} that remain, from index {} on, belong to no "
                      "thread",
                      n, threads, share, rest == 1 ? "the one element" : fmt::format("the {} elements", rest),
                      index),
          kAdvice};
}

}  // namespace

Unreached why_unreached(std::string_view message, std::uint64_t n, std::span<const LaunchShape> launches) {
  const auto indices = indices_in(message);
  for (const LaunchShape& launch : launches) {
    for (const std::uint64_t index : indices) {
      if (Unreached found = behind_the_last(index, launch); !found.why.empty()) return found;
    }
    if (indices.size() != 1) continue;
    if (Unreached found = left_over(indices.front(), n, launch); !found.why.empty()) return found;
  }
  return {};
}

}  // namespace warpmark::judge
