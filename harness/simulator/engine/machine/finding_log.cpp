#include "harness/simulator/engine/machine/finding_log.h"

#include <utility>

#include "harness/simulator/engine/machine/causes.h"

namespace warpmark::simulator {
namespace {

// Maximum number of stored findings; limits memory use if a kernel has defects everywhere.
constexpr std::size_t kMost = 200;

}  // namespace

void FindingLog::add(Finding finding, std::uint64_t rank, std::optional<Conflict> conflict) {
  const std::lock_guard lock(mutex_);
  const Conflict known = conflict.value_or(Conflict{});
  const Key key(wire::key_of(finding), known.array, known.reads, known.reads_other, known.within);
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    if (entries_.size() < kMost) entries_.emplace(key, Entry{rank, std::move(finding), std::move(conflict)});
    return;
  }
  Entry& entry = found->second;
  const bool all_warps = known.all_warps || (entry.conflict && entry.conflict->all_warps);
  const bool elements = known.elements || (entry.conflict && entry.conflict->elements);
  if (rank < entry.rank) entry = {rank, std::move(finding), std::move(conflict)};
  if (!entry.conflict) return;
  entry.conflict->all_warps = all_warps;
  entry.conflict->elements = elements;
}

std::vector<Finding> FindingLog::take() {
  const std::lock_guard lock(mutex_);
  Causes causes;
  for (auto& [key, entry] : entries_) causes.add(std::move(entry.finding), std::move(entry.conflict));
  entries_.clear();
  return causes.take();
}

}  // namespace warpmark::simulator
