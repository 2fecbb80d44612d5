// The rule of upload_once: bytes to the device = the data set, once, and the allowance.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Of the versions, and of the upload, that sent most: the most that get a cause each.
inline constexpr std::size_t kMostOffenders = 3;

// transfers: all of an audit. Empty: kept.
std::vector<Cause> broken_upload_rule(const GradingContext& bench, std::uint64_t data_bytes,
                                      const std::vector<Transfer>& transfers);

}  // namespace warpmark::judge
