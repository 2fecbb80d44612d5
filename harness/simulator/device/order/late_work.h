// Queue of deferred stream work. An item runs when something synchronises with it instead of at the runtime
// call, so that a program that forgets to synchronise reads memory as it was before the work.
#pragma once

#include <deque>
#include <functional>

#include "harness/simulator/device/order/streams.h"

namespace warpmark::simulator {

class LateWork {
 public:
  void add(const Stamp& stamp, std::function<void()> work) { items_.push_back({stamp, std::move(work)}); }
  // Runs, in call order, all deferred stream work that the vector clock covers. Clocks are transitive, so
  // everything which that work depends on is covered, too. The overload without a clock runs all deferred
  // work.
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
