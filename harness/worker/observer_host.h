// The observer of a worker without a device. It reports nothing by itself; with a sanitizer,
// observer_thread_sanitizer.cpp or observer_address_sanitizer.cpp adds the sanitizer's findings.
#pragma once

#include <cstddef>

#include "harness/worker/observer.h"

namespace warpmark {

// At most one per process, created on the thread that makes the calls.
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
