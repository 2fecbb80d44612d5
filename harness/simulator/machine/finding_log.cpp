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
  const Key key(finding.kind, finding.file, finding.line, finding.other_line);
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    if (entries_.size() < kMost) entries_.emplace(key, Entry{rank, std::move(finding)});
  } else if (rank < found->second.rank) {
    found->second = {rank, std::move(finding)};
  }
}

// A read that comes before the write it races with reads uninitialised memory; and a barrier that is missing
// for the block is missing for each warp.
bool FindingLog::follows_from_a_race(const Finding& finding) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& each) {
    const auto& [kind, file, line, other_line] = each.first;
    if (file != finding.file || line != finding.line) return false;
    if (finding.kind == Finding::Kind::uninitialised_read)
      return kind == Finding::Kind::race || kind == Finding::Kind::warp_synchronous;
    return finding.kind == Finding::Kind::warp_synchronous && kind == Finding::Kind::race &&
           other_line == finding.other_line;
  });
}

std::vector<Finding> FindingLog::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Finding> all;
  for (auto& [key, entry] : entries_) {
    if (!follows_from_a_race(entry.finding)) all.push_back(std::move(entry.finding));
  }
  entries_.clear();
  return all;
}

}  // namespace warpmark::simulator
