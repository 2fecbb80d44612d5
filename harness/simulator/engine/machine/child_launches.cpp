#include "harness/simulator/engine/machine/child_launches.h"

#include <utility>

namespace warpmark::simulator {

void ChildLaunches::configure(const Thread& thread, const LaunchShape& shape) {
  const std::lock_guard lock(mutex_);
  next_[thread] = shape;
}

LaunchShape ChildLaunches::shape_of(const Thread& thread) {
  const std::lock_guard lock(mutex_);
  const auto found = next_.extract(thread);
  return found ? found.mapped() : LaunchShape{};
}

void ChildLaunches::add(const Thread& thread, ChildLaunch child) {
  const std::lock_guard lock(mutex_);
  asked_[std::get<0>(thread)].push_back(std::move(child));
}

std::vector<ChildLaunch> ChildLaunches::take() {
  const std::lock_guard lock(mutex_);
  std::vector<ChildLaunch> all;
  for (auto& [block, children] : asked_) {
    for (ChildLaunch& child : children) all.push_back(std::move(child));
  }
  asked_.clear();
  return all;
}

}  // namespace warpmark::simulator
