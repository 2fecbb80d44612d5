// Deferred stream work: it runs when something waits for it instead of at the call, so that a program that
// forgets to synchronise sees memory before the work has run.
#pragma once

#include <deque>
#include <functional>

#include "harness/simulator/device/order/streams.h"

namespace warpmark::simulator {

class LateWork {
 public:
  void add(const Stamp& stamp, std::function<void()> work) { items_.push_back({stamp, std::move(work)}); }
  // Runs, in the order of the calls, the work that the clock contains. The clock is transitive: it also
  // contains everything that this work depends on. Without a clock, runs all work.
  void catch_up(const Clock& clock);
  void catch_up();
  void forget() { items_.clear(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }

 private:
  struct Item {
    Stamp stamp;
    std::function<void()> work;
  };
  std::deque<Item> items_;
};

}  // namespace warpmark::simulator
