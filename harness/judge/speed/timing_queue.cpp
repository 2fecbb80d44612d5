#include "harness/judge/speed/timing_queue.h"

#include <algorithm>

namespace warpmark::judge {

void TimingQueue::build_begins() {
  const std::scoped_lock lock(mutex_);
  ++begun_;
}

void TimingQueue::is_checked(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  checked_.insert(version);
}

bool TimingQueue::only_builds_are_left(std::size_t builds, const IsBuilt& is_built) const {
  const std::scoped_lock lock(mutex_);
  return begun_ >= builds && std::ranges::all_of(versions_, [&](const std::string& version) {
           return checked_.contains(version) || !is_built(version);
         });
}

std::set<std::string> TimingQueue::ready_during_builds(const IsBuilt& is_built) const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::all_of(versions_, is_built) ? std::set<std::string>() : checked_;
}

bool TimingQueue::take(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  return taken_.insert(version).second;
}

}  // namespace warpmark::judge
