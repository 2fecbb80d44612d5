// A value that is made once: on a thread of its own if that was begun early, else when it is first needed.
#pragma once

#include <functional>
#include <future>
#include <optional>
#include <utility>

namespace warpmark::judge {

template <class Value>
class BegunEarly {
 public:
  using Make = std::function<Value()>;

  // Starts to make the value on a thread of its own.
  void begin(Make make) { begun_ = std::async(std::launch::async, std::move(make)); }
  // Returns true if the value is being made, or was and nobody has asked for it.
  [[nodiscard]] bool has_begun() const { return begun_.valid(); }
  // Blocks until the thread that makes the value, if there is one, has ended.
  void wait() const {
    if (begun_.valid()) begun_.wait();
  }
  // Returns the value; calls `make` if there is none and none was begun. Throws what making it threw.
  Value& get(const Make& make) {
    if (!value_) value_ = begun_.valid() ? begun_.get() : make();
    return *value_;
  }
  // Waits for the thread and destroys the value.
  void drop() {
    begun_ = {};
    value_.reset();
  }

 private:
  std::future<Value> begun_;
  std::optional<Value> value_;
};

}  // namespace warpmark::judge
