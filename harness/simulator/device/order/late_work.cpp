#include "harness/simulator/device/order/late_work.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace warpmark::simulator {

void LateWork::catch_up(const Clock& clock) {
  if (items_.empty()) return;
  const auto due = std::stable_partition(items_.begin(), items_.end(),
                                         [&](const Item& item) { return !item.stamp.is_over_in(clock); });
  std::vector<Item> now(std::make_move_iterator(due), std::make_move_iterator(items_.end()));
  items_.erase(due, items_.end());
  for (Item& item : now) item.work();
}

void LateWork::catch_up() {
  for (const std::deque<Item> all = std::exchange(items_, {}); const Item& item : all) item.work();
}

}  // namespace warpmark::simulator
