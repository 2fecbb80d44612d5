#include "harness/simulator/watch/publication.h"

#include <algorithm>

namespace warpmark::simulator {
namespace {

// Maximum number of releases (fence and atomic store) that the race detector records per launch. When it is
// exceeded, races between blocks are no longer reported.
constexpr std::size_t kMostEntries = std::size_t{1} << 20;
// Maximum number of addresses per warp at which the race detector tracks acquired releases.
constexpr std::size_t kMostAddresses = 4096;

}  // namespace

bool Released::covers(std::uint32_t thread, std::uint64_t clock) const {
  if (clock < before) return true;
  const std::size_t warp = thread / 32;
  return warp < of_warp.size() && (of_warp[warp].lanes >> (thread % 32) & 1) != 0 &&
         clock < of_warp[warp].before;
}

void merge(Acquired& into, const Acquired& more) {
  for (const auto& [address, count] : more) {
    std::size_t& known = into[address];
    known = std::max(known, count);
  }
}

void Publication::release(std::uint64_t address, std::uint64_t block, std::uint64_t clock,
                          const Released& to_block, const Released& to_all, const Acquired& known) {
  const std::lock_guard lock(mutex_);
  if (given_up_) return;
  Releases& releases = by_address_[address];
  merge(releases.known, known);
  auto& own = releases.by_block[block];
  if (!own.empty() && own.back().to_block == to_block && own.back().to_all == to_all) {
    own.back().clock = std::max(own.back().clock, clock);
    return;
  }
  own.push_back({releases.count++, clock, to_block, to_all});
  given_up_ = ++entries_ > kMostEntries;
}

bool Publication::acquire(std::uint64_t address, std::uint64_t block, bool in_block, Acquired& known) {
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return false;
  const Releases& releases = found->second;
  const bool own_alone = releases.by_block.size() == 1 && releases.by_block.contains(block);
  if (in_block && !releases.by_block.contains(block)) return false;
  if (!in_block || own_alone) merge(known, releases.known);
  known[in_block ? address | kSeenInBlock : address] = releases.count;
  given_up_ = given_up_ || known.size() > kMostAddresses;
  return true;
}

bool Publication::answers(std::uint64_t address, std::uint64_t block, const Acquired& known) {
  const std::lock_guard lock(mutex_);
  const auto seen = known.find(address);
  const auto releases = by_address_.find(address);
  if (seen == known.end() || releases == by_address_.end()) return false;
  const auto own = releases->second.by_block.find(block);
  return own != releases->second.by_block.end() && own->second.front().index < seen->second;
}

bool Publication::published(std::uint64_t block, std::uint32_t thread, std::uint64_t clock, bool to_own_block,
                            const Acquired& known) {
  const std::lock_guard lock(mutex_);
  if (given_up_) return true;
  return std::any_of(known.begin(), known.end(), [&](const auto& each) {
    if ((each.first & kSeenInBlock) != 0 && !to_own_block) return false;
    const auto releases = by_address_.find(each.first & ~kSeenInBlock);
    if (releases == by_address_.end()) return false;
    const auto own = releases->second.by_block.find(block);
    if (own == releases->second.by_block.end()) return false;
    return std::any_of(own->second.begin(), own->second.end(), [&](const Entry& entry) {
      return entry.index < each.second &&
             (to_own_block ? entry.to_block : entry.to_all).covers(thread, clock);
    });
  });
}

bool Publication::has_acquired(std::uint64_t address, std::uint64_t block, std::uint64_t clock,
                               bool to_own_block, const Acquired& known) {
  const std::lock_guard lock(mutex_);
  const auto releases = by_address_.find(address);
  if (releases == by_address_.end()) return false;
  const auto own = releases->second.by_block.find(block);
  if (own == releases->second.by_block.end()) return false;
  std::size_t seen = 0;
  if (const auto found = known.find(address); found != known.end()) seen = found->second;
  if (const auto found = known.find(address | kSeenInBlock); to_own_block && found != known.end())
    seen = std::max(seen, found->second);
  return std::any_of(own->second.begin(), own->second.end(), [&](const Entry& entry) {
    return entry.index < seen && clock <= entry.clock && (to_own_block || entry.to_all != Released{});
  });
}

}  // namespace warpmark::simulator
