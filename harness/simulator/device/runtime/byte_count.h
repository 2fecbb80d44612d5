// Formats byte counts for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace warpmark::simulator {

// Returns text such as "400 bytes". A size_t above SIZE_MAX / 2 is reported as the negative number that it
// was converted from.
inline std::string byte_count(std::size_t bytes) {
  if (bytes <= SIZE_MAX / 2) return fmt::format("{} bytes", bytes);
  return fmt::format("{} bytes (a negative number, which becomes a huge size_t)",
                     static_cast<std::int64_t>(bytes));
}

}  // namespace warpmark::simulator
