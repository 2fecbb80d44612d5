#include "harness/assignments/size.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/text.h"

namespace warpmark {

std::string to_text(const Size& size) {
  return fmt::format("{}", fmt::join(size.parts, ","));
}

Result<Size> size_from(const std::string& text) {
  std::vector<std::uint64_t> parts;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::uint64_t part = 0;
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc() || (next != end && *next != ','))
      return fail(
          fmt::format("\"{}\" is no size; write whole numbers, separated by commas: 33 or 33,7", text));
    parts.push_back(part);
    if (next == end) return Size(std::move(parts));
    at = next + 1;
  }
}

}  // namespace warpmark
