#include "harness/simulator/finding_log.h"

#include <utility>

namespace warpmark::simulator {
namespace {

// A kernel that is wrong everywhere shall not fill memory.
constexpr std::size_t kMost = 100;

}  // namespace

bool FindingLog::wants(Finding::Kind kind, const std::string& file, int line, int other_line,
                       std::uint64_t rank) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(Key(kind, file, line, other_line));
  return found == entries_.end() ? entries_.size() < kMost : rank < found->second.rank;
}

void FindingLog::add(Finding finding, std::uint64_t rank) {
  const std::lock_guard lock(mutex_);
  const Key key(finding.kind, finding.file, finding.line, finding.other_line);
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    entries_.emplace(key, Entry{rank, std::move(finding)});
  } else if (rank < found->second.rank) {
    found->second = {rank, std::move(finding)};
  }
}

std::vector<Finding> FindingLog::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Finding> all;
  for (auto& [key, entry] : entries_) all.push_back(std::move(entry.finding));
  entries_.clear();
  return all;
}

}  // namespace warpmark::simulator
