// The rule of the check `upload_once`: all bytes copied to the device may not exceed the input, once, plus an
// allowance.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Maximum number of functions reported for an upload violation: those with the most excess bytes.
inline constexpr std::size_t kMostOffenders = 3;

// Applies the rule to all transfers recorded in an upload audit: bytes copied to the device may not exceed
// the input, once, plus an allowance. Returns the violations; empty if there are none.
std::vector<Cause> broken_upload_rule(const GradingContext& bench, std::uint64_t data_bytes,
                                      const std::vector<AuditedTransfer>& transfers);

}  // namespace warpmark::judge
