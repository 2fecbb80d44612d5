// The rule of upload_once: bytes sent to the device may not exceed the data set, once, plus the allowance.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Number of causes at most: one for each of the worst offenders among versions and upload.
inline constexpr std::size_t kMostOffenders = 3;

// transfers: all transfers of an audit. Returns no causes if the rule is kept.
std::vector<Cause> broken_upload_rule(const GradingContext& bench, std::uint64_t data_bytes,
                                      const std::vector<AuditedTransfer>& transfers);

}  // namespace warpmark::judge
