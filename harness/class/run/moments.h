// Dates as exports and instructors write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpmark::classroom {

// Seconds since 1970 of "2026-11-20T23:59:00+01:00" or "2026-11-20 23:59:00.000 -0800" or with "Z" or "UTC".
// Nothing where the zone or anything before it is missing: a guess could cost somebody a day.
std::optional<std::int64_t> moment_of(const std::string& text);

// Days from the date due to a moment; 0 where that is earlier.
double days_late(std::int64_t due, std::int64_t moment);

}  // namespace warpmark::classroom
