#include "harness/judge/checks/grid_reach.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <fmt/format.h>

namespace warpmark::judge {
namespace {

// Returns the numbers in the brackets behind a name at the message's beginning.
std::vector<std::uint64_t> subscripts_of(std::string_view message) {
  const std::size_t open = message.find_first_of("([");
  if (open == std::string_view::npos || message.substr(0, open).find(' ') != std::string_view::npos)
    return {};
  std::vector<std::uint64_t> numbers(1);
  for (const char c : message.substr(open + 1)) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
      numbers.back() = 10 * numbers.back() + static_cast<std::uint64_t>(c - '0');
    else if (c == ',')
      numbers.push_back(0);
    else if (c != ' ')
      break;
  }
  return numbers;
}

}  // namespace

std::optional<Reach> about_reach(std::string_view message, const std::vector<wire::Launch>& launches) {
  const bool unwritten = message.find("never written") != std::string_view::npos ||
                         message.find("still holds what it held") != std::string_view::npos;
  const auto numbers = subscripts_of(message);
  if (!unwritten || launches.empty()) return std::nullopt;
  const wire::Launch& launch = launches.back();
  for (std::size_t axis = 0; axis < launch.grid.size(); ++axis) {
    const std::uint64_t blocks = launch.grid[axis];
    const std::uint64_t threads = blocks * launch.block[axis];
    if (blocks < 2 || std::ranges::find(numbers, threads) == numbers.end()) continue;
    const char name = "xyz"[axis];
    return Reach{
        launch.kernel, name,
        fmt::format("{0} blocks of {1} threads in {2} reach {3} numbers, and no thread takes number {3} or a "
                    "later one",
                    blocks, launch.block[axis], name, threads),
        fmt::format(
            "let each thread go on in a loop, in steps of gridDim.{0} * blockDim.{0}, or launch more blocks",
            name)};
  }
  return std::nullopt;
}

}  // namespace warpmark::judge
