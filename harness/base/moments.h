// Parses dates as platforms' exports and instructors write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpmark {

// Returns seconds since the epoch for "2026-11-20T23:59:00+01:00" or "2026-11-20 23:59:00.000 -0800"; the
// zone may be "Z" or "UTC". Returns nullopt if the zone or another part is missing: a guess could be wrong by
// a day.
std::optional<std::int64_t> moment_of(const std::string& text);

// Returns the days from the due date to `moment`, or 0 if `moment` is earlier.
double days_late(std::int64_t due, std::int64_t moment);

}  // namespace warpmark
