// The observer of a worker without a device: what its versions do is seen by no one, unless a sanitizer's
// runtime looks on (observer_thread_sanitizer.cpp, observer_address_sanitizer.cpp).
#pragma once

#include <cstddef>

#include "harness/worker/observer.h"

namespace warpmark {

// One in a process, made on the thread that makes the calls.
class HostObserver : public Observer {
 public:
  explicit HostObserver(const char* engine);
  [[nodiscard]] const char* engine() const override { return engine_; }
  std::string start() override { return {}; }
  void end_call(const void* kept) override;
  wire::Observation drain() override { return {}; }

 private:
  const char* engine_;
  std::size_t usual_threads_;
};

}  // namespace warpmark
