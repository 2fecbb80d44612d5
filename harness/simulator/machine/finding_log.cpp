#include "harness/simulator/machine/finding_log.h"

#include <algorithm>
#include <utility>

namespace warpmark::simulator {
namespace {

// A kernel that is wrong everywhere shall not fill memory.
constexpr std::size_t kMost = 100;

}  // namespace

void FindingLog::add(Finding finding, std::uint64_t rank) {
  const std::lock_guard lock(mutex_);
  wire::FindingKey key = wire::key_of(finding);
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    if (entries_.size() < kMost) entries_.emplace(std::move(key), Entry{rank, std::move(finding)});
  } else if (rank < found->second.rank) {
    found->second = {rank, std::move(finding)};
  }
}

// A read that comes before the write it races with reads uninitialised memory; and a barrier that is missing
// for the block is missing for each warp.
bool FindingLog::follows_from_a_race(const Finding& finding) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& each) {
    const Finding& other = each.second.finding;
    if (other.file != finding.file || other.line != finding.line) return false;
    if (finding.kind == CauseKind::uninitialised_read)
      return other.kind == CauseKind::race || other.kind == CauseKind::warp_synchronous;
    return finding.kind == CauseKind::warp_synchronous && other.kind == CauseKind::race &&
           other.other_line == finding.other_line;
  });
}

std::vector<Finding> FindingLog::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Finding> all;
  for (const auto& [key, entry] : entries_) {
    if (!follows_from_a_race(entry.finding)) all.push_back(entry.finding);
  }
  entries_.clear();
  return all;
}

}  // namespace warpmark::simulator
