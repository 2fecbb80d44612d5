// Work on streams that is not done at the call but when something waits for it: what a program does not wait
// for has not happened yet when it looks.
#pragma once

#include <deque>
#include <functional>

#include "harness/simulator/order/streams.h"

namespace warpmark::simulator {

class LateWork {
 public:
  void add(const Stamp& stamp, std::function<void()> work) { items_.push_back({stamp, std::move(work)}); }
  // Does what has to be over in the clock, in the order of the calls. What it waits for is in it as well.
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
